// E3b's property, on real git: a person edits, stages, commits, deletes, checks out, stashes and switches branches at any record of
// a run, which ends in every way and is killed and resumed. Every byte of theirs is in the tree, the index, a commit, a stash or
// under a ref; what nobody else has a claim to is in the tree and staged as they left it; and no commit of the run has it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Script } from "../../../src/adapters/agents/scripted/script.ts";
import { openRepo } from "../../../src/adapters/repo/git/open.ts";
import { noUsage } from "../../../src/core/flow/dispatch.ts";
import { optionsOf, type Question } from "../../../src/core/flow/question.ts";
import { couldWrite } from "../../../src/core/run/capability.ts";
import { pathsIn } from "../../../src/core/run/document-paths.ts";
import type { World } from "../../../src/engine/drive/world.ts";
import type { AgentEvent, AgentOrder } from "../../../src/ports/agents.ts";
import type { Entry, EntryBody, Journal } from "../../../src/ports/journal.ts";
import { documentsOf, globalConfig, goOn, makeRepository, runId } from "../../rig/pipeline/run.ts";
import { answer, contentReviewers, playFrom, review } from "../../rig/pipeline/scripts.ts";
import { type Beside, tracked, WildPerson } from "../../rig/pipeline/wild-person.ts";
import fc, { times } from "../../rig/property.ts";
import { scouted } from "../../rig/triage.ts";
import { Chance } from "../../simulation/chance.ts";

const goal = "Write a letter";
const mostLives = 60;

class Killed extends Error {}

/** One run, from its start to its end, over as many lives as it takes. */
class WildRun {
  readonly root = mkdtempSync(join(tmpdir(), "superteam-wild-"));
  readonly chance: Chance;
  readonly person: WildPerson;
  /** Outcomes that the flow could not handle: the question that keeps a run alive is a bug all the same (E11). */
  readonly unhandled: string[] = [];
  #writers = 0;
  #checks = 0;
  #goneAt = 0;
  #isBegun = false;
  /** Dispatches of earlier lives that are still to be undone. */
  #interrupted = new Set<string>();

  constructor(seed: number) {
    this.chance = new Chance(seed);
    this.person = new WildPerson(this.root, this.chance);
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join("");
    makeRepository(this.root, { files: { "many.txt": lines, "other.txt": lines } });
    writeFileSync(globalConfig(this.root), JSON.stringify({ validationCommand: "test ! -e broken.txt" }));
  }

  async live(): Promise<string> {
    for (let lives = 1; lives <= mostLives; lives++) {
      const how = await this.#life();
      this.person.trace.push(`life ${lives}: ${how}`);
      if (how !== "suspended" && how !== "killed") return how;
      for (let deeds = this.chance.below(3); deeds > 0; deeds--) this.person.actLater(["letter.txt"]);
    }
    return "endless";
  }

  async #life(): Promise<string> {
    [this.#writers, this.#checks] = [0, 0];
    try {
      const { end } = await goOn({
        root: this.root,
        goal,
        play: playFrom({}),
        answers: {},
        goneAt: () => Promise.resolve(this.#goneAt),
        around: (world) => ({ ...world, ...this.#around(world) }),
      });
      if (end.how !== "finished") return end.how;
      const repo = await openRepo({ root: this.root, runId, documents: pathsIn(documentsOf(goal)) });
      await repo.forgetStates();
      return end.how;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      return "killed";
    } finally {
      // What an agent of an earlier life left is as old as that life.
      if (this.#writers > 0) this.#goneAt = Date.now();
    }
  }

  #around(world: World): Partial<World> {
    return {
      journal: this.#watched(world.journal),
      person: { ...world.person, ask: (question) => Promise.resolve(this.#answer(question)) },
      agents: { ...idle, dispatch: (order) => this.#agent(order) },
    };
  }

  /** At any record the person may act, and the process may die before or after it is written. */
  #watched(journal: Journal): Journal {
    const begun = journal.entries.flatMap((entry) => (entry.type === "begin" && entry.anchor ? [entry.key] : []));
    this.#interrupted = new Set(begun.filter((key) => journal.recall(key)?.settled === false));
    let isDead = false;
    const mayDie = (): void => {
      if (isDead || this.chance.happens(0.01)) isDead = true;
      if (isDead) throw new Killed();
    };
    const append = async (body: EntryBody, options: { readonly sync: boolean }): Promise<Entry> => {
      mayDie();
      const entry = await journal.append(body, options);
      this.#follow(entry, journal);
      if (this.chance.happens(0.06)) this.person.act(this.#beside, ["letter.txt"]);
      mayDie();
      return entry;
    };
    const { recall, result, current, close } = journal;
    return {
      get entries() {
        return journal.entries;
      },
      recall: recall.bind(journal),
      result: result.bind(journal),
      current: current.bind(journal),
      close: close.bind(journal),
      append,
    };
  }

  get #beside(): Beside {
    if (this.#writers > 0) return "writer";
    if (this.#checks > 0) return "check";
    return this.#interrupted.size > 0 ? "undo" : "nobody";
  }

  #follow(entry: Entry, journal: Journal): void {
    if (entry.type !== "begin" && entry.type !== "settle") return;
    const request = entry.type === "begin" ? entry.request : journal.recall(entry.key)?.request;
    const step = entry.type === "begin" ? 1 : -1;
    if (request?.do === "check") this.#checks += step;
    if (request?.do === "changes" && entry.type === "begin") this.person.lookedAt();
    if (request?.do === "undo-work") this.person.takenBack(request.work.files);
    // The scout has a tool to write with: what changes beside it is put back like its own doing.
    const isArmed = request?.do === "dispatch" && (request.access === "write" || request.role === "scout");
    if (!isArmed) return;
    this.#writers += step;
    this.#interrupted.delete(entry.key);
    if (!this.#isBegun && request.access === "write") this.person.home = this.person.branch;
    this.#isBegun ||= request.access === "write";
  }

  #answer(question: Question): string | undefined {
    const { chance, person } = this;
    person.act("nobody", ["letter.txt"]);
    if (chance.happens(0.15)) return undefined;
    if (chance.happens(0.9)) person.comeBack();
    const said = this.#choice(question);
    person.trace.push(`${question.id}: ${said}`);
    if (question.id === "run.unhandled") this.unhandled.push(question.message);
    // What they go back from is kept under a ref, as they were told.
    if (question.id === "run.restore") person.share("all");
    const mixed = question.message.split("\n").flatMap((line) => (line.startsWith("  ") ? [line.trim()] : []));
    if (question.id.endsWith(".mixed") && said === "task") person.give(mixed);
    return said;
  }

  #choice(question: Question): string {
    if (question.id === "triage.mode") return "hotfix";
    if (question.kind === "input" || question.kind === "editor") return "as you like";
    const keys = optionsOf(question).map(({ key }) => key);
    const usual = keys.filter((key) => key !== "abort");
    return this.chance.pick(this.chance.happens(0.05) ? keys : usual);
  }

  async *#agent(order: AgentOrder): AsyncGenerator<AgentEvent> {
    yield { type: "spawned", process: { pid: 0, birth: "", tag: "", backend: order.backend } };
    yield { type: "started", model: "some/model" };
    const script = couldWrite(order) && order.role !== "scout" ? this.#deed() : this.#words(order);
    if (script.run !== undefined) execFileSync("sh", ["-c", script.run], { cwd: this.root, stdio: "ignore" });
    yield { type: "usage", model: "some/model", usage: { ...noUsage, input: 1, output: 1, costUsd: 0.001 } };
    const { text } = script;
    yield script.fail
      ? { type: "failed", output: "", model: "some/model", ...script.fail }
      : { type: "finished", text, model: "some/model" };
  }

  /** What an agent that may write does. */
  #deed(): Script {
    const good = `echo 'Dear reader, ${this.chance.below(1000)}' >> letter.txt`;
    const deeds = {
      good,
      nothing: "true",
      half: "echo half > half.txt",
      breaks: `${good}; echo x > broken.txt`,
      mends: `${good}; rm -f broken.txt`,
      commits: `${good}; git add letter.txt; git commit -qm agents`,
      greedy: `${good}; git add -A; git commit -qm all`,
      stages: `${good}; git add -A`,
      overwrites: `${good}; echo theirs > mine-1.txt`,
      deletes: `${good}; rm -f mine-1.txt mine-2.txt`,
      appends: `${good}; echo more >> README.md`,
      rewrites: `${good}; echo new > README.md`,
      drops: `${good}; git checkout -q -- README.md many.txt other.txt; git reset -q`,
      switches: `${good}; git checkout -q -b agents-$$`,
      puts: `${good}; git stash push -qu`,
      clears: `${good}; git stash clear`,
    };
    const name = this.chance.happens(0.5) ? "good" : this.chance.pick(Object.keys(deeds) as (keyof typeof deeds)[]);
    this.person.trace.push(`a writer: ${name}`);
    const run = deeds[name];
    this.person.writerAt(["letter.txt", ...tracked].filter((path) => run.includes(path)));
    const fail = { kind: "crashed", detail: "it fell" } as const;
    return { run, text: "Done.", ...(this.chance.happens(0.15) ? { fail } : {}) };
  }

  #words(order: AgentOrder): Script {
    if (order.role === "scout") return { text: scouted("A repository with a README.") };
    const finding = { rule: "incorrect", severity: "high", anchor: { criterion: 1 }, what: "No." };
    if (order.role === "spec-reviewer" && this.chance.happens(0.3))
      return {
        text: answer("superteam-json", { passed: false, findings: [finding], resolutions: [], summary: "No." }),
      };
    return contentReviewers[order.role] ?? review();
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const idle = {
  prepare: () => undefined,
  end: () => Promise.resolve({ wasAlive: false, strays: [] }),
  recount: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

test("E3b: every byte of a person who works at any moment is there, whatever becomes of the run", async (context) => {
  const ends = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const run = new WildRun(seed);
      try {
        const how = await run.live();
        ends.set(how, (ends.get(how) ?? 0) + 1);
        assert.notEqual(how, "endless", run.person.trace.join("\n"));
        const complaints = [...run.unhandled, ...run.person.complaints()];
        assert.deepEqual(complaints, [], `seed ${seed}\n${run.person.trace.join("\n")}`);
      } finally {
        run.close();
      }
    }),
    { numRuns: times(6), endOnFailure: true, examples: [[766210931]] },
  );
  context.diagnostic(JSON.stringify(Object.fromEntries(ends)));
});
