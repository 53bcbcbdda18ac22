// What agents do that nobody asked them for.

import type { Deed } from "../machine/faults.ts";
import { count, keys, type Machine } from "../machine/machine.ts";
import { lettersOf, spoilt } from "../ports/suite.ts";
import { headOf } from "../repo/repository.ts";
import type { Act } from "./parts.ts";

type Doing = (machine: Machine) => readonly Act[];

const one =
  (what: string, act: (machine: Machine) => void): Doing =>
  (machine) => [{ what, do: () => act(machine) }];

const doings: Readonly<Record<Deed, Doing>> = {
  "agent commits": one("commits its letters", ({ hands }) => void hands.commit("wip", ["letters"])),
  "agent amends": one("amends", ({ hands }) => hands.amend("amended")),
  "agent takes a commit back": one("takes the last commit back", ({ hands }) => hands.uncommit()),
  "agent overwrites the person's file": (machine) => {
    const path = personFile(machine);
    return one(`overwrites ${path}`, ({ hands }) => hands.write(path, "mine now\n"))(machine);
  },
  "agent deletes the person's file": (machine) => {
    const path = personFile(machine);
    return one(`deletes ${path}`, ({ hands }) => hands.remove(path))(machine);
  },
  "agent breaks the tree": one("breaks the tree", ({ hands }) => hands.write("broken.txt", "oh\n")),
  "agent stages": one("stages its letters", ({ hands }) => hands.stage("letters")),
  "agent ignores nothing": one("has git ignore nothing", ({ hands }) => hands.write(".gitignore", "\n")),
  "agent stages what is ignored": one("stages what git ignores", ({ hands }) => hands.stage(keys)),
  "agent switches branches": one("switches to another branch", ({ hands }) => hands.checkout("elsewhere")),
  "agent goes to an older commit": one("goes to an older commit", (machine) =>
    machine.hands.detach(olderCommit(machine)),
  ),
  "agent resets to an older commit": one("resets to an older commit", (machine) =>
    machine.hands.reset(olderCommit(machine)),
  ),
  "agent makes a branch": ({ hands, clone }) => {
    const { branch } = headOf(clone.repository);
    return [
      { what: "makes a branch", do: () => hands.checkout("made") },
      { what: "goes back to its own", do: () => hands.checkout(branch ?? "made") },
    ];
  },
  "agent leaves a file": one("leaves a file", ({ hands, chance }) =>
    hands.write(`scratch-${chance.below(3)}.txt`, "scratch\n"),
  ),
  "agent commits everything": one("commits everything", ({ hands }) => void hands.commit("everything")),
  "agent commits a secret and removes it": ({ hands }) => [
    { what: "writes a secret", do: () => hands.write("secret.txt", "password\n") },
    { what: "commits it", do: () => void hands.commit("with a secret", ["secret.txt"]) },
    { what: "removes it", do: () => hands.remove("secret.txt") },
    { what: "commits that", do: () => void hands.commit("without it", ["secret.txt"]) },
  ],
  "agent makes a link out of the tree": one("makes a link out of the tree", ({ hands, links }) => {
    links.set("letters/all", "/home/person/letters");
    hands.write("letters/all", "/home/person/letters");
  }),
  "agent writes the configuration": one("writes the configuration", ({ hands, chance }) => {
    const looser = [{ review: { blockOnSeverity: "critical" } }, { validationCommand: "" }];
    hands.write(".superteam.json", JSON.stringify(chance.pick(looser)));
  }),
  "agent breaks a test": one("breaks the test of a letter", (machine) => {
    const path = machine.chance.pick(lettersOf(machine));
    if (path !== undefined) machine.hands.write(path, `${machine.hands.read(path) ?? ""}${spoilt}\n`);
  }),
  "agent deletes a test": one("deletes a letter and its test", (machine) => {
    const path = machine.chance.pick(lettersOf(machine));
    if (path !== undefined) machine.hands.remove(path);
  }),
};

function olderCommit({ chance, hands }: Machine): string {
  const [first, ...older] = hands.log().map(({ sha }) => sha);
  return chance.pick(older.length > 0 ? older : [first ?? "HEAD"]);
}

function personFile({ chance, written }: Machine): string {
  const paths = [...written.keys()].filter((path) => path !== keys);
  return paths.length === 0 ? "notes.txt" : chance.pick(paths);
}

const ofReaders: readonly Deed[] = [
  ...(["agent leaves a file", "agent leaves a file", "agent makes a branch", "agent switches branches"] as const),
  ...(["agent stages", "agent commits everything"] as const),
];

/** A reader has few ways. Deeds that the profile names are those that happen; without any, all. */
export function misdeeds(machine: Machine, isReader: boolean): readonly Act[] {
  const { chance, odds } = machine;
  const named = Object.keys(doings) as Deed[];
  const chosen = named.filter((deed) => odds[deed] !== undefined);
  const deed = chance.pick(isReader ? ofReaders : chosen.length > 0 ? chosen : named);
  count(machine, deed);
  return doings[deed](machine);
}
