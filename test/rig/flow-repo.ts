// The repository of a played flow: the model of test/simulation/repo below a map of texts that scripts and agents write in. Hashes
// have short names, in the order in which they are seen, so that a test can say them.

import type { CommitRequest } from "../../src/core/flow/flow.ts";
import type {
  Anchor,
  Changes,
  CommitOutcome,
  Head,
  RestoreOutcome,
  UncommittedWork,
  UndoOutcome,
  WriterTraces,
} from "../../src/core/flow/repository.ts";
import { type Hands, handsOn } from "../simulation/repo/hands.ts";
import { type InstantRepo, instantRepo, makeClone } from "../simulation/repo/open.ts";
import { type Clone, checkoutOf } from "../simulation/repo/repository.ts";

export type Files = Map<string, string>;

export interface PlayedRepoOptions {
  readonly files: Readonly<Record<string, string>>;
  /** Paths that no tree contains. */
  readonly documents: readonly string[];
  /** Files of the person's that git does not track. */
  readonly theirs: readonly string[];
}

export class PlayedRepo {
  /** The working tree. Whoever is asked next sees what was done to it. */
  readonly files: Files;
  readonly #clone: Clone;
  readonly #hands: Hands;
  readonly #repo: InstantRepo;
  readonly #names = new Map<string, string>();
  #requests = 0;

  constructor({ files, documents, theirs }: PlayedRepoOptions) {
    this.#clone = makeClone(files, () => 0);
    this.#hands = handsOn(this.#clone);
    this.#repo = instantRepo(checkoutOf(this.#clone, run, documents));
    this.#hands.checkout("work");
    for (const path of theirs) this.#hands.write(path, "the person's");
    this.#names.set(this.#repo.head().sha, startName);
    this.files = new Map(this.#hands.files());
  }

  head(): Head {
    return this.#ask(null, () => this.#repo.head());
  }

  tree(): string {
    return this.#ask(null, () => this.#repo.tree());
  }

  snapshot(): Anchor {
    return this.#ask(null, () => this.#repo.snapshot("kept"));
  }

  anchorWithout(request: { readonly at: Anchor; readonly work: Parameters<InstantRepo["anchorWithout"]>[1] }): Anchor {
    return this.#ask(request, ({ at, work }) => this.#repo.anchorWithout(at, work, "kept"));
  }

  afterWriter(given: Anchor, ours: readonly string[]): WriterTraces {
    return this.#ask(given, (anchor) => this.#repo.afterWriter({ given: anchor, ours }, "writer"));
  }

  changes(since: Anchor, without?: readonly string[]): Changes {
    return this.#ask(since, (anchor) => this.#repo.changes(anchor, without));
  }

  difference(request: { readonly from: string; readonly to: string }): readonly string[] {
    return this.#ask(request, ({ from, to }) => this.#repo.difference(from, to));
  }

  restore(to: Anchor): RestoreOutcome {
    return this.#ask(to, (anchor) => this.#repo.restore(anchor, "undo"));
  }

  undoWork(work: UncommittedWork): UndoOutcome {
    return this.#ask(work, (given) => this.#repo.undoWork(given, "undo"));
  }

  /** A hook writes these files, and stages them. */
  commit(request: CommitRequest, hooked: Files): CommitOutcome {
    this.#requests++;
    this.#hands.hook(Object.fromEntries(hooked));
    return this.#ask(request, (order) => this.#repo.commit({ ...order, run, request: `${run}/${this.#requests}` }));
  }

  /** Somebody commits all there is, without having been ordered to. */
  commitAll(subject: string): void {
    this.#take();
    const others = [...this.#names.values()].filter((name) => name.startsWith("other-")).length;
    this.#names.set(this.#hands.commit(subject), `other-${others + 1}`);
  }

  #ask<Given, Answer>(given: Given, verb: (given: Given) => Answer): Answer {
    this.#take();
    const answer = verb(this.#inHashes(given));
    replace(this.files, this.#hands.files());
    return this.#inNames(answer);
  }

  /** Does to the repository what was done to the map. */
  #take(): void {
    const before = this.#hands.files();
    for (const path of before.keys()) if (!this.files.has(path)) this.#hands.remove(path);
    for (const [path, text] of this.files) if (before.get(path) !== text) this.#hands.write(path, text);
  }

  // What follows changes texts inside of JSON, so that the type stays.

  #inNames<Value>(value: Value): Value {
    const said = JSON.stringify(value).replace(/\b[0-9a-f]{40}\b/g, (hash) => this.#nameOf(hash));
    return JSON.parse(said.replace(/"refs\/superteam\/[^"]*"/g, (ref) => `"${shortRef(ref)}"`)) as Value;
  }

  #inHashes<Value>(value: Value): Value {
    const hashes = new Map([...this.#names].map(([hash, name]) => [name, hash]));
    const said = JSON.stringify(value).replace(/"((?:tree|sha|other)-\d+|f{40})"/g, (text, name) => {
      const hash = hashes.get(name);
      return hash === undefined ? text : `"${hash}"`;
    });
    return JSON.parse(said) as Value;
  }

  #nameOf(hash: string): string {
    const known = this.#names.get(hash);
    if (known !== undefined) return known;
    const kind = this.#clone.repository.objects.commits.has(hash) ? "sha" : "tree";
    const others = [...this.#names.values()].filter((name) => name.startsWith(`${kind}-`)).length;
    const name = `${kind}-${kind === "sha" ? others + 1 : others}`;
    this.#names.set(hash, name);
    return name;
  }
}

const run = "run-1";
const startName = "f".repeat(40);

function shortRef(ref: string): string {
  if (ref.includes("-given-back")) return "refs/given-back";
  return ref.includes("-given-up") ? "refs/superteam/given-up" : "refs/superteam/kept";
}

export function replace(files: Files, by: ReadonlyMap<string, string>): void {
  files.clear();
  for (const [path, text] of by) files.set(path, text);
}
