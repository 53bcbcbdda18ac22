// Everything that can go wrong. Each kind is counted, so that one that never happens is noticed.

/** What agents do beside their part, or instead of it. */
export const deeds = [
  "agent commits",
  "agent amends",
  "agent takes a commit back",
  "agent overwrites the person's file",
  "agent deletes the person's file",
  "agent breaks the tree",
  "agent stages",
  "agent switches branches",
  "agent makes a branch",
  "agent leaves a file",
  "agent commits everything",
  "agent commits a secret and removes it",
  "agent makes a link out of the tree",
  "agent writes the configuration",
  "agent breaks a test",
  "agent deletes a test",
] as const;
export type Deed = (typeof deeds)[number];

export const faults = [
  "killed",
  "power cut",
  "orphan works on",
  "person works",
  "person works beside a writer",
  "person cleans",
  "person switches branches",
  "stop",
  "question left open",
  "misdeed",
  ...deeds,
  "agent does nothing else",
  "plan appended to",
  "garbled answer",
  "odd answer",
  "forged answer",
  "odd usage",
  "finding",
  "finding in a review that passes",
  "finding where nothing can be read",
  "findings disputed",
  "agent fails",
  "disk full",
  "git fails",
  "git fails when it is done",
  "git is slow",
  "git never returns",
  "hook changes files",
  "hook breaks the tree",
  "hook refuses",
  "check changes files",
  "test fails by chance",
  "tests crash",
  "place cannot be made",
  "goal falls apart",
  "configuration changed",
  "configuration broken",
  "newer program",
  "answer from another process",
  "abort from another process",
] as const;
export type Fault = (typeof faults)[number];

/** How likely each is, where it can happen at all. */
export type Odds = Readonly<Partial<Record<Fault, number>>>;
