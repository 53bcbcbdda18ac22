// The texts of the tree and its configuration, refused and read as the real adapters do (adapters/store/documents.ts,
// adapters/settings/file.ts).

import { changesBetween } from "../../../src/adapters/settings/changes.ts";
import { Config } from "../../../src/core/run/config.ts";
import type { Documents } from "../../../src/ports/documents.ts";
import { OutsideFailure } from "../../../src/ports/failure.ts";
import type { Journal } from "../../../src/ports/journal.ts";
import type { Settings, TreeText } from "../../../src/ports/settings.ts";
import type { Brought, Grant } from "../../../src/ports/trust.ts";
import { RepositoryTrust } from "../../../src/runs/life/trust.ts";
import { goesWrong, type Machine } from "../machine/machine.ts";
import { effect, raise, writing } from "./trouble.ts";

export function simulatedTexts(machine: Machine): Documents {
  const { hands } = machine;
  return {
    read: (path) =>
      effect(machine, `read ${path.slice(0, 80)}`, () => {
        refuse(machine, path);
        return hands.read(path) ?? null;
      }),
    write: (path, text) => writing(machine, `write ${path}`, () => hands.write(path, text)),
    remove: (path) => writing(machine, `remove ${path}`, () => hands.remove(path)),
  };
}

/** A path out of the tree or into git's folder, one that no file system has, and what is no file. */
function refuse({ clone, links, hands }: Machine, path: string): void {
  const parts = path.split("/");
  const outside = (why: string): OutsideFailure =>
    new OutsideFailure(
      "outside",
      `"${path.slice(0, 40)}" is refused: a document stays inside the working tree, ${why}`,
    );
  if (parts.includes(".git")) throw outside("and this is not a path inside it");
  if (parts.some((part) => Buffer.byteLength(part) > 255)) throw outside("and this cannot be followed (ENAMETOOLONG)");
  const target = links.get(path);
  if (target !== undefined && hands.read(path) === target) throw outside("and this is a link that leads out of it");
  if (clone.repository.disk.folders.has(path))
    throw new OutsideFailure("unreadable", `${path} could not be read (EISDIR)`);
}

const treeFile = ".superteam.json";

/** The tree's text over the person's, as far as it is trusted. */
export function simulatedSettings(machine: Machine, held: () => Grant): Settings {
  return {
    read: async () => {
      if (goesWrong(machine, "configuration broken"))
        throw raise(machine, "configuration", `${treeFile}: line 1, column 1`);
      const { config } = held();
      machine.isSteered ||= config !== null;
      return merged(machine, config);
    },
  };
}

/** The program's own rule of trust (runs/life/trust.ts), over the tree and a person who remembers nothing. */
export function simulatedTrust(machine: Machine, journal: Journal): RepositoryTrust {
  const look = async (): Promise<Brought> => broughtBy(machine);
  const memory = {
    where: "nowhere",
    look: async () => ({ trusted: false, before: false, trouble: undefined }),
    remember: async () => undefined,
  };
  const changes = async (from: TreeText, to: TreeText) => changesBetween(merged(machine, from), merged(machine, to));
  return new RepositoryTrust({ journal, memory, settings: { changes, ownChange: async () => undefined }, look });
}

export function broughtBy({ hands }: Machine): Brought {
  const config = hands.read(treeFile) ?? null;
  return { config, profiles: [], commands: [], own: [], ignored: [], hash: config === null ? "none" : config };
}

function merged(machine: Machine, text: TreeText): Config {
  const { review, ...rest } = JSON.parse(text ?? "{}") as { readonly review?: object };
  const own = machine.config as { readonly review?: object };
  return Config.parse({ ...own, ...rest, review: { ...own.review, ...review } });
}
