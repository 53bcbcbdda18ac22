// Kinds of trouble, each alone, so that what is found can be told apart, and all of them together.

import type { Profile } from "./simulate.ts";

const calm: Profile = {
  manners: { misbehaves: 0, finds: 0, fails: 0 },
  config: { validationCommand: "check", review: { mode: "iterative", maxTaskReviewCycles: 2 } },
  leaves: 0,
  agrees: 1,
  kills: 0,
  powerCuts: 0,
  personWorks: 0,
  stops: 0,
};

export const profiles: Readonly<Record<string, Profile>> = {
  calm,
  kills: { ...calm, kills: 0.01 },
  power: { ...calm, kills: 0.01, powerCuts: 1 },
  reviews: { ...calm, manners: { misbehaves: 0, finds: 0.4, fails: 0 }, kills: 0.005, agrees: 0.85 },
  failures: { ...calm, manners: { misbehaves: 0, finds: 0.1, fails: 0.2 }, kills: 0.005, agrees: 0.85 },
  agents: { ...calm, manners: { misbehaves: 0.3, finds: 0.2, fails: 0.05 }, agrees: 0.85 },
  tight: {
    ...calm,
    config: { ...(calm.config as object), costs: { warnAtUsd: 0.2, hardLimitUsd: 0.4 } },
    agrees: 0.95,
    kills: 0.003,
  },
  stops: { ...calm, stops: 0.02 },
  person: { ...calm, personWorks: 0.01, leaves: 0.1, stops: 0.002, agrees: 0.85 },
  all: {
    ...calm,
    manners: { misbehaves: 0.2, finds: 0.3, fails: 0.1 },
    kills: 0.005,
    powerCuts: 0.3,
    agrees: 0.85,
    personWorks: 0.003,
    leaves: 0.05,
    stops: 0.001,
  },
};
