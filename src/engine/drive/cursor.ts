// Where in a run a flow stands. A key is the scope's path, the kind, the name and the occurrence; a scope that was
// restarted carries its epoch.

import type { Request } from "../../core/flow/flow.ts";

/** One scope being driven: its path, how often each name was used in it, and its place among its siblings. */
export class Cursor {
  readonly path: string;
  /** Branch numbers from the root: questions of concurrent branches are shown in this order. */
  readonly order: readonly number[];
  readonly #counts = new Map<string, number>();
  #steps = 0;

  constructor(path: string, order: readonly number[]) {
    this.path = path;
    this.order = order;
  }

  /** How many steps were taken in this scope; the next one has this index. */
  get steps(): number {
    return this.#steps;
  }

  /** The key of the next request. */
  key(kind: string, name: string): { readonly key: string; readonly occurrence: number } {
    const base = `${inside(this.path)}${kind}:${name}`;
    const occurrence = this.#count(base);
    return { key: `${base}#${occurrence}`, occurrence };
  }

  /** The path of the next child scope, without its epoch. */
  child(name: string): string {
    if (!/^[\w.-]+$/.test(name)) throw new Error(`"${name}" cannot name a scope`);
    const base = `${inside(this.path)}${name}`;
    const occurrence = this.#count(base);
    return occurrence === 1 ? base : `${base}#${occurrence}`;
  }

  #count(base: string): number {
    this.#steps++;
    const occurrence = (this.#counts.get(base) ?? 0) + 1;
    this.#counts.set(base, occurrence);
    return occurrence;
  }
}

/** A scope's path with its epoch: `execute/task-2@2`; the first epoch is not shown. */
export function atEpoch(path: string, epoch: number): string {
  return epoch === 1 ? path : `${path}@${epoch}`;
}

/** The path of the scope that a request's key or a child's path belongs to. */
export function parentOf(keyOrPath: string): string {
  const colon = keyOrPath.indexOf(":");
  const slash = colon < 0 ? keyOrPath.lastIndexOf("/") : keyOrPath.lastIndexOf("/", colon);
  return slash < 0 ? "" : keyOrPath.slice(0, slash);
}

/** Questions of the engine itself hang on the request they are about and are no step of a flow. */
export const isAside = (key: string): boolean => /(^|#\d+)~(ask|record):/.test(key);

/** The key of such a question: about the try of this number. */
export const asideKey = (key: string, question: string, nth: number): string => `${key}~ask:${question}#${nth}`;

/** What names a request within its scope. */
export function nameOf(request: Request): string {
  switch (request.do) {
    case "ask":
      return request.question.id;
    case "read":
    case "write":
      return request.path;
    case "record":
      return request.fact.type;
    case "publish":
      return request.document;
    case "head":
    case "config":
    case "experience":
    case "queue":
      return "";
    default:
      return request.name;
  }
}

const inside = (path: string): string => (path === "" ? "" : `${path}/`);
