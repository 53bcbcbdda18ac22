import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatches, facts, play, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import { type Flow, snapshot } from "../../core/flow/flow.ts";
import { partsAsDesign } from "../../core/plan/parts.ts";
import { Plan } from "../../core/plan/plan.ts";
import { documentsFor } from "../../core/run/document-paths.ts";
import type { Settled } from "../../core/run/report.ts";
import { fenced } from "../../core/text/block.ts";
import type { Brainstormed } from "../brainstorm/brainstorm.ts";
import type { Executed, PlannedWork } from "../task/execute.ts";
import { buildInParts, type Piece } from "./parts.ts";

const parts = ["Store", "Server", "Page"].map((title) => ({ title, scope: `the ${title} alone` }));
const begun: Brainstormed = {
  mode: "quick",
  breadth: "batches",
  parts,
  map: "What the first scout saw.",
  files: [],
  testing: "required",
  design: "The design.",
  sections: [...partsAsDesign(parts)],
};
const documents = documentsFor("2026-02-07", "Build a shop", () => false);
const choices = { execution: "auto", batchSize: null, review: "iterative", waivers: [] } as const;

const settled = (task: number): Settled => ({
  task,
  title: `Task ${task}`,
  status: "complete",
  commit: `${task}`.repeat(40),
  rounds: 0,
  escalated: false,
  files: [`${task}.ts`],
  deferred: [],
  waivers: [],
});

/** Builds two tasks per part, and keeps what it was given. */
function builder(pieces: Piece[], mode: PlannedWork["mode"] = "quick") {
  return function* build(piece: Piece): Flow<PlannedWork & Executed> {
    pieces.push(piece);
    const first = piece.part?.firstTask ?? 1;
    const ids = [first, first + 1];
    const plan = Plan.parse({
      tasks: ids.map((id) => ({ id, title: `Task ${id}`, description: "Do.", files: [`${id}.ts`] })),
    });
    const start = yield* snapshot(`start-${first}`);
    return {
      goal: piece.goal,
      requirements: [],
      plan,
      choices: { ...choices, waivers: [] },
      start: { ...start, leftAlone: [], sha: `sha-${first}` },
      tasks: ids.map(settled),
      mode,
      outgrown: null,
      remarks: { waivers: [`waived at ${first}`], deferred: [`deferred at ${first}`] },
    };
  };
}

const scout = (holds: boolean) => () =>
  `Seen.\n\n${fenced("superteam-json", JSON.stringify({ holds, reassessment: "As it is." }))}`;
const run = (script: Partial<Script>, pieces: Piece[] = [], mode: PlannedWork["mode"] = "quick") =>
  play(buildInParts({ goal: "Build a shop", begun, documents }, builder(pieces, mode)), {
    agents: { scout: scout(true) },
    answers: { "part.1.next": "continue", "part.2.next": "continue" },
    ...script,
  });

test("each part is built from its own requirements, its own plan and a fresh look; all of it is one work", () => {
  const pieces: Piece[] = [];
  const played = run({}, pieces);
  assert.deepEqual(
    pieces.map(({ part, begun: { map, sections }, documents: { plan }, earlier, choices: known }) => ({
      part: part?.number,
      first: part?.firstTask,
      requirements: part?.requirements,
      sections: sections.map(({ id }) => id),
      map,
      plan: plan.replace(/.*-shop-/, ""),
      earlier: earlier?.map(({ task }) => task),
      configured: known !== undefined,
    })),
    [
      {
        part: 1,
        first: 1,
        requirements: ["R1"],
        sections: ["part-1"],
        map: "What the first scout saw.",
        plan: "plan.md",
        earlier: [],
        configured: false,
      },
      {
        part: 2,
        first: 3,
        requirements: ["R2"],
        sections: ["part-2"],
        map: "Seen.",
        plan: "plan-2.md",
        earlier: [1, 2],
        configured: true,
      },
      {
        part: 3,
        first: 5,
        requirements: ["R3"],
        sections: ["part-3"],
        map: "Seen.",
        plan: "plan-3.md",
        earlier: [1, 2, 3, 4],
        configured: true,
      },
    ],
  );
  const built = resultOf(played);
  assert.deepEqual(
    [built.tasks.map(({ task }) => task), built.plan.tasks.map(({ id }) => id), built.start.sha],
    [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], "sha-1"],
  );
  assert.deepEqual(
    built.requirements.map(({ id }) => id),
    ["R1", "R2", "R3"],
  );
  assert.deepEqual(
    facts(played).map((fact) => (fact.type === "part.started" ? `${fact.part} of ${fact.of}: ${fact.title}` : "")),
    ["1 of 3: Store", "2 of 3: Server", "3 of 3: Page"],
  );
});

test("what each part's plan was approved with is known of the whole", () => {
  const { remarks } = resultOf(run({ answers: { "part.1.next": "continue", "part.2.next": "end" } }));
  assert.deepEqual(remarks, {
    waivers: ["waived at 1", "waived at 3"],
    deferred: ["deferred at 1", "deferred at 3"],
  });
});

test("a mode that was switched in one part is the mode of the next", () => {
  const pieces: Piece[] = [];
  const built = resultOf(run({}, pieces, "full"));
  assert.deepEqual(
    pieces.map(({ begun: { mode } }) => mode),
    ["quick", "full", "full"],
  );
  assert.equal(built.mode, "full");
});

test("the scout that looks again between two parts may only read, and is told how to answer about them", () => {
  const looks = dispatches(run({})).map(({ role, access, instructions }) => ({ role, access, instructions }));
  assert.deepEqual(looks, Array(2).fill({ role: "scout", access: "read", instructions: "scout-part" }));
});

test("going on is recommended only while the scout says that the rest holds", () => {
  for (const holds of [true, false]) {
    const [question] = questions(run({ agents: { scout: scout(holds) }, answers: {} }));
    assert.equal(question?.id, "part.1.next");
    assert.equal(question?.recommended, holds ? "continue" : undefined);
    assert.match(question?.message ?? "", /Part 1 of 3 is done; so far 2 of 2 tasks complete\.\nNext: part 2, Server/);
    assert.match(question?.message ?? "", holds ? /\(still right as planned\): As it is\./ : /no longer right/);
  }
});

test("a person who ends there keeps what is done, and the rest is named; one who aborts ends the run", () => {
  const ended = run({ answers: { "part.1.next": "continue", "part.2.next": "end" } });
  assert.deepEqual(
    resultOf(ended).tasks.map(({ task }) => task),
    [1, 2, 3, 4],
  );
  const warnings = facts(ended).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.deepEqual(warnings, ["Not done, because the person ended the run after part 2 of 3: 3. Page."]);
  const { end } = run({ answers: { "part.1.next": "abort" } });
  assert.deepEqual(end, {
    how: "failed",
    failure: { kind: "aborted", step: "part.1.next", detail: "the person ended the run after part 1 of 3" },
  });
});

test("a scout that says nothing about the rest is asked again, and then the person is", () => {
  const { end } = run({ agents: { scout: () => "All is well." } });
  assert.equal(end.how === "waiting" && end.question.id, "part.scout.unparsable");
});

test("a goal that was cut into no part ends the run with its reason", () => {
  const none = { ...begun, parts: [], sections: [] };
  const { end } = play(buildInParts({ goal: "Build a shop", begun: none, documents }, builder([])), {});
  assert.deepEqual(end, {
    how: "failed",
    failure: { kind: "impossible", step: "parts", detail: "The goal has no parts." },
  });
});
