// Stands in for node:test where many mutants share a process: tests are kept, to be run as often as there are mutants.

type Body = (context: object) => unknown;

export interface Kept {
  readonly file: string;
  readonly name: string;
  run(): Promise<void>;
}

export const kept: Kept[] = [];
const ends: (() => unknown)[] = [];
const starts: (() => unknown)[] = [];
let file = "";

/** Loads one file of tests. */
export async function collect(path: string, url: string): Promise<void> {
  file = path;
  await import(url);
  for (const start of starts.splice(0)) await start();
}

export async function end(): Promise<void> {
  for (const each of ends.splice(0).reverse()) await each();
}

export function test(name: string, ...rest: readonly unknown[]): void {
  const body = rest.findLast((each): each is Body => typeof each === "function");
  const isLeftOut = rest.some((each) => isOptions(each) && Boolean(each.skip || each.todo));
  if (body !== undefined && !isLeftOut) kept.push({ file, name, run: () => run(name, body) });
}

const nothing = (): undefined => undefined;

export function describe(_name: string, ...rest: readonly unknown[]): void {
  rest.findLast((each): each is () => void => typeof each === "function")?.();
}

export const it = test;
export const suite = describe;
export const before = (start: () => unknown): number => starts.push(start);
export const after = (each: () => unknown): number => ends.push(each);
export default test;

async function run(name: string, body: Body): Promise<void> {
  const afters: (() => unknown)[] = [];
  const context = {
    name,
    signal: new AbortController().signal,
    diagnostic: nothing,
    after: (each: () => unknown): number => afters.push(each),
    test: (inner: string, ...rest: readonly unknown[]): Promise<void> =>
      run(inner, rest.findLast((each): each is Body => typeof each === "function") ?? nothing),
  };
  try {
    await body(context);
  } finally {
    for (const each of afters) await each();
  }
}

function isOptions(each: unknown): each is { readonly skip?: unknown; readonly todo?: unknown } {
  return typeof each === "object" && each !== null;
}
