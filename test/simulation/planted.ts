// The simulation, tested: each of these faults is planted into a copy of the program, and has to be found.
//   node test/simulation/planted.ts [--seeds N]   prints how soon each was

import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { campaign } from "./campaign.ts";

interface Plant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Where it shows soonest. */
  readonly profile: string;
}

export const plants: readonly Plant[] = [
  {
    name: "undo left out",
    file: "src/engine/drive/ended/interrupted.ts",
    from: "if (anchor === undefined) return;",
    to: "if (anchor === undefined || work.role !== '') return;",
    profile: "kills",
  },
  {
    name: "documents not restored (F8)",
    file: "src/engine/drive/given-documents.ts",
    from: "if (replaced.length === 0) return;",
    to: "if (replaced.length >= 0) return;",
    profile: "planners",
  },
  {
    name: "changes while no writer runs treated as the task's (F1)",
    file: "src/phases/work/work-range.ts",
    from: "range.theirs = range.theirs.union(yield* changedSince(range, tree));",
    to: "",
    profile: "person",
  },
  {
    name: "person's files treated as the last writers' work (F4)",
    file: "src/engine/drive/ended/writer.ts",
    from: "ours: request.ours ?? []",
    to: "ours: /docs|final/.test(begun.key) ? (await repo.changes(anchor)).files.map(({ path }) => path) : (request.ours ?? [])",
    profile: "writers",
  },
  {
    name: "HEAD not compared after a writer (F5)",
    file: "src/engine/drive/ended/writer.ts",
    from: "given: anchor,",
    to: "given: { ...anchor, ...(await repo.head()) },",
    profile: "writers",
  },
  {
    name: "files of another commit treated as a writer's work (E3b)",
    file: "test/simulation/repo/after-writer.ts",
    from: "return fork === given.sha ? undefined : fork;",
    to: "return undefined;",
    profile: "writers",
  },
  {
    name: "configuration used that nobody trusted (G2)",
    file: "src/runs/life/trust.ts",
    from: 'if (said.answer !== "trust") {',
    to: 'if (said.answer === "") {',
    profile: "gates",
  },
  {
    name: "outcome not synced",
    file: "src/engine/drive/recorder.ts",
    from: '["session", "limits", "enter"]',
    to: '["session", "limits", "enter", "settle"]',
    profile: "power",
  },
  {
    name: "agent's beginning not synced (F9)",
    file: "src/engine/drive/recorder.ts",
    from: 'return body.note.type === "spawned";',
    to: "return false;",
    profile: "power",
  },
  {
    name: "stale receipt accepted",
    file: "src/core/review/receipts.ts",
    from: "receipt?.tree === tree && verdicts.includes(receipt.verdict)",
    to: "receipt !== undefined && verdicts.includes(receipt.verdict)",
    profile: "all",
  },
  {
    name: "stale check accepted",
    file: "src/engine/drive/ended/check.ts",
    from: "const { left, undone } = await undo(repo, given, name);",
    to: "const [left, undone] = [await repo.look(), undefined as CheckUndone | undefined];",
    profile: "checks",
  },
  {
    name: "review ignored",
    file: "src/phases/work/review.ts",
    from: "const judged = judge(register, first.value, known);",
    to: "const judged = judge(register, { ...first.value, passed: true, findings: [] }, known);",
    profile: "reviews",
  },
  {
    name: "last of two contradicting reviews accepted (G11)",
    file: "src/core/text/answer.ts",
    from: "const said = JSON.stringify(first.value);",
    to: "const last = answers.at(-1); if (last?.ok) return { ok: true, value: last.value, blocks: 1 }; const said = '';",
    profile: "forgeries",
  },
  {
    name: "halt ignored",
    file: "src/engine/drive/halt.ts",
    from: "if (this.reason !== undefined) throw new Suspended();",
    to: "",
    profile: "stops",
  },
  {
    name: "account not settled (M1)",
    file: "src/engine/drive/recovery.ts",
    from: "used.slice(noted)",
    to: "used.slice(used.length + noted)",
    profile: "kills",
  },
  {
    name: "turn that was cut not counted (M1)",
    file: "src/engine/drive/recovery.ts",
    from: "used.slice(noted)",
    to: "used.slice(noted).filter(({ usage }) => !usage.estimated)",
    profile: "kills",
  },
  {
    name: "place that cannot be read (W1)",
    file: "src/engine/drive/requests.ts",
    from: "claimed ? readIfReadable(place.documents, path)",
    to: "claimed ? place.documents.read(path)",
    profile: "places",
  },
  {
    name: "hook's work not checked",
    file: "src/phases/work/proof.ts",
    from: "if (outcome.changedByHook) {",
    to: "if (outcome.status !== 'committed') {",
    profile: "hooks",
  },
  {
    name: "another version not noticed",
    file: "src/engine/drive/replay.ts",
    from: "known[index] === step) return;",
    to: "known[index] !== '') return;",
    profile: "versions",
  },
  {
    name: "answer confirmed before it is on disk",
    file: "src/engine/asking/question-queue.ts",
    from: "const settled = await open.settled;",
    to: "const settled = reading.answer as string | undefined;",
    profile: "processes",
  },
  {
    name: "question shown before it is on disk",
    file: "src/engine/asking/question-queue.ts",
    from: 'await append(this.#world, { type: "begin", key, request: { do: "ask", question }',
    to: 'void append(this.#world, { type: "begin", key, request: { do: "ask", question }',
    profile: "calm",
  },
  {
    name: "commit not recognised",
    file: "src/engine/drive/requests.ts",
    from: "if (made) return made;",
    to: "",
    profile: "kills",
  },
  {
    name: "queue entry doubled",
    file: "src/engine/drive/requests.ts",
    from: "nothing(world.queue.add(runs, `",
    to: "nothing(world.queue.add(runs, begun.seq + `",
    profile: "lines",
  },
  {
    name: "broken test let through",
    file: "src/core/validation/compare.ts",
    from: 'broken: failing.filter((name) => was(name) === "passed")',
    to: 'broken: failing.filter((name) => was(name) === "skipped")',
    profile: "suites",
  },
  {
    name: "tests that pass alone treated as flaky",
    file: "src/phases/suite/run-suite.ts",
    from: "if (!isPart(again) || isBroken)",
    to: "if (isPart(again) || isBroken)",
    profile: "suites",
  },
  {
    name: "wrong task blamed",
    file: "src/core/validation/blame.ts",
    from: "if (yield middle) bad = middle;",
    to: "if (!(yield middle)) bad = middle;",
    profile: "cadence",
  },
  {
    name: "pending tests called run",
    file: "src/phases/task/settle-task.ts",
    from: "...(untested ? { testsPending: true as const } : {})",
    to: "",
    profile: "cadence",
  },
  {
    name: "crash treated as a failing test",
    file: "src/phases/suite/blame.ts",
    from: "if (run.results !== undefined || suspects.failing.length === 0) return run;",
    to: "return run;",
    profile: "cadence",
  },
  {
    name: "ticket not released",
    file: "src/engine/money/budget.ts",
    from: "this.#running.delete(key);",
    to: "",
    profile: "tight",
  },
];

/** The number of runs it took, and what was said; undefined when nothing was found. */
export async function findPlanted(
  plant: Plant,
  seeds: number,
): Promise<{ readonly runs: number; readonly violation: string } | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "superteam-planted-"));
  try {
    for (const part of ["src", "test", "agents", "package.json"]) cpSync(part, join(folder, part), { recursive: true });
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    const file = join(folder, plant.file);
    const text = readFileSync(file, "utf8");
    if (text.split(plant.from).length !== 2) throw new Error(`"${plant.name}" no longer fits ${plant.file}`);
    writeFileSync(file, text.replace(plant.from, plant.to));
    const copy = (await import(pathToFileURL(join(folder, "test/simulation/campaign.ts")).href)) as Pick<
      typeof import("./campaign.ts"),
      "campaign"
    >;
    for (let seed = 1; seed <= seeds; seed++) {
      const { found } = await copy.campaign({ from: seed, seeds: 1, profiles: [plant.profile] });
      if (found[0] !== undefined) return { runs: seed, violation: found[0].violation };
    }
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where each known violation shows soonest. */
const knownIn: Readonly<Record<string, string>> = {};

/** The number of runs it took to meet a known violation. */
export async function findKnown(id: string, profile: string, seeds: number): Promise<number | undefined> {
  for (let seed = 1; seed <= seeds; seed++) {
    const { known } = await campaign({ from: seed, seeds: 1, profiles: [profile] });
    if (known.has(id)) return seed;
  }
  return undefined;
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { seeds: { type: "string", default: "2000" } } });
  for (const [id, profile] of Object.entries(knownIn)) {
    console.log(`| ${id} | ${profile} | ${(await findKnown(id, profile, Number(values.seeds))) ?? "not found"} |`);
  }
  for (const plant of plants) {
    const found = await findPlanted(plant, Number(values.seeds));
    console.log(
      `| ${plant.name} | ${plant.profile} | ${found?.runs ?? "not found"} | ${found?.violation.split("\n")[0] ?? ""} |`,
    );
  }
}
