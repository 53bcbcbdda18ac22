// Kinds of trouble, each alone, so that what is found can be told apart, and all of them together.

import type { Deed, Odds } from "./machine/faults.ts";

/** What may go wrong, and how likely: at each turn, or at each call of what can fail. */
export interface Profile {
  readonly config: object;
  /** How likely the person takes what is recommended. */
  readonly agrees: number;
  readonly odds: Odds;
  /** What they answer for sure, by question. */
  readonly answers: Readonly<Record<string, string>>;
}

const config = { validationCommand: "check", review: { mode: "iterative", maxTaskReviewCycles: 2 } };

function profile(odds: Odds, agrees = 1, answers: Profile["answers"] = {}): Profile {
  return { config, agrees, odds: { "orphan works on": 0.5, ...odds }, answers };
}

const all: Odds = {
  killed: 0.005,
  "power cut": 0.3,
  "person works": 0.003,
  "person cleans": 0.0005,
  "person switches branches": 0.0003,
  "question left open": 0.05,
  stop: 0.001,
  misdeed: 0.2,
  "garbled answer": 0.1,
  "odd answer": 0.02,
  "forged answer": 0.1,
  "odd usage": 0.01,
  finding: 0.3,
  "finding in a review that passes": 0.1,
  "finding where nothing can be read": 0.002,
  "findings disputed": 0.1,
  "agent fails": 0.1,
  "disk full": 0.0005,
  "git fails": 0.001,
  "git fails when it is done": 0.001,
  "git is slow": 0.01,
  "git never returns": 0.0005,
  "hook changes files": 0.05,
  "hook refuses": 0.02,
  "check changes files": 0.02,
  "check commits": 0.02,
  "test fails by chance": 0.05,
  "tests crash": 0.01,
  "goal falls apart": 0.05,
  "configuration changed": 0.1,
  "configuration broken": 0.01,
  "plan appended to": 0.1,
  "newer program": 0.05,
  "answer from another process": 0.002,
  "abort from another process": 0.00005,
};

const surely = (...deeds: readonly Deed[]): Odds => Object.fromEntries(deeds.map((deed) => [deed, 1]));

export const profiles: Readonly<Record<string, Profile>> = {
  calm: profile({}),
  kills: profile({ killed: 0.01 }),
  power: profile({ killed: 0.01, "power cut": 1 }),
  reviews: profile({ finding: 0.4, "findings disputed": 0.3, killed: 0.005 }, 0.85),
  failures: profile({ "agent fails": 0.2, finding: 0.1, killed: 0.005 }, 0.85),
  agents: profile({ misdeed: 0.3, "garbled answer": 0.15, finding: 0.2, "agent fails": 0.05 }, 0.85),
  tight: { ...profile({ killed: 0.003 }, 0.95), config: { ...config, costs: { warnAtUsd: 0.2, hardLimitUsd: 0.4 } } },
  stops: profile({ stop: 0.02 }),
  person: profile({ "person works": 0.01, "question left open": 0.1, stop: 0.002 }, 0.85),
  moves: profile(
    { "person cleans": 0.003, "person switches branches": 0.002, "person works": 0.003, "question left open": 0.1 },
    0.85,
  ),
  // The disk is full, or git fails: the run stops with an error, and continues when somebody has seen to it.
  disk: profile({ "disk full": 0.005 }),
  git: profile({
    "git fails": 0.01,
    "git fails when it is done": 0.01,
    "git is slow": 0.02,
    "git never returns": 0.005,
  }),
  hooks: profile({ "hook changes files": 0.3, "hook breaks the tree": 0.1, "hook refuses": 0.1, killed: 0.003 }, 0.85),
  checks: profile({ "check changes files": 0.3, "check commits": 0.2, killed: 0.003 }, 0.85),
  planners: profile({ "plan appended to": 0.7, killed: 0.01 }),
  // Writers of every kind misbehave, and the last ones too: the person has the documentation written.
  writers: profile({ misdeed: 0.3, "agent does nothing else": 0.3, finding: 0.15, ...surely(...ofWriters()) }, 0.85, {
    "finalize.docs": "yes",
  }),
  gates: profile(
    { misdeed: 0.3, finding: 0.3, "finding in a review that passes": 0.7, ...surely("agent writes the configuration") },
    0.85,
  ),
  places: profile(
    {
      misdeed: 0.2,
      finding: 0.2,
      "finding where nothing can be read": 0.1,
      ...surely("agent makes a link out of the tree"),
    },
    0.85,
  ),
  answers: profile({ "odd answer": 0.4, finding: 0.3, killed: 0.003 }, 0.85),
  forgeries: profile({ "forged answer": 0.6, finding: 0.5, killed: 0.002 }, 0.85),
  prices: profile({ "odd usage": 0.3, "agent fails": 0.1, finding: 0.1, killed: 0.005 }, 0.9),
  versions: profile({ killed: 0.015, "newer program": 0.7, finding: 0.1 }, 0.9),
  settings: profile({ killed: 0.01, "configuration changed": 0.5, "configuration broken": 0.05, finding: 0.1 }, 0.9),
  processes: profile(
    {
      "answer from another process": 0.05,
      "abort from another process": 0.0002,
      stop: 0.002,
      killed: 0.002,
      finding: 0.1,
    },
    0.85,
  ),
  // The repository has tests: one that is red before any work, one that fails by chance, and one per letter.
  suites: {
    ...profile(
      {
        misdeed: 0.3,
        "test fails by chance": 0.15,
        "tests crash": 0.05,
        killed: 0.003,
        ...surely("agent breaks a test", "agent deletes a test"),
      },
      0.85,
    ),
    config: { ...config, testCommand: "suite" },
  },
  // The tests run for the third task alone: what broke them is looked for in the commits of the tasks before.
  cadence: {
    ...profile(
      {
        misdeed: 0.4,
        killed: 0.005,
        "place cannot be made": 0.1,
        "tests crash": 0.05,
        ...surely("agent breaks a test"),
      },
      0.85,
    ),
    config: { ...config, testCommand: "suite", validationCadence: "every-N" },
  },
  // The goal falls into parts, which wait in line as runs of their own.
  lines: profile({ "goal falls apart": 0.8, killed: 0.02, "disk full": 0.005 }, 0.9, { "triage.breadth": "splits" }),
  all: { ...profile(all, 0.85), config: { ...config, testCommand: "suite" } },
};

function ofWriters(): readonly Deed[] {
  return [
    "agent overwrites the person's file",
    "agent deletes the person's file",
    "agent commits everything",
    "agent commits a secret and removes it",
    "agent switches branches",
    "agent goes to an older commit",
    "agent resets to an older commit",
    "agent amends",
    "agent ignores nothing",
    "agent stages what is ignored",
  ];
}

/** Nobody does anything but their part: whatever fails or dies, the run ends as if nothing had. */
export function isPlain({ agrees, odds }: Profile): boolean {
  const plain = /^(?:killed|power cut|orphan works on|stop|disk full|git .*|plan appended to)$/;
  return agrees === 1 && Object.keys(odds).every((fault) => plain.test(fault));
}
