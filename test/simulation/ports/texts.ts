// The texts of the tree and its configuration, refused and read as the real adapters do (adapters/store/documents.ts,
// adapters/settings/file.ts).

import { Config } from "../../../src/core/run/config.ts";
import type { Documents } from "../../../src/ports/documents.ts";
import { OutsideFailure } from "../../../src/ports/failure.ts";
import type { Settings } from "../../../src/ports/settings.ts";
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

/** The tree's file over the person's. What it claims beyond how superteam works was never trusted, and does not count. */
export function simulatedSettings(machine: Machine): Settings {
  return {
    read: async () => {
      if (goesWrong(machine, "configuration broken"))
        throw raise(machine, "configuration", `${treeFile}: line 1, column 1`);
      const text = machine.hands.read(treeFile);
      if (text === undefined) return Config.parse(machine.config);
      machine.isSteered = true;
      const { review, validationCommand } = JSON.parse(text) as { review?: object; validationCommand?: string };
      const own = machine.config as { readonly review?: object };
      const isOff = validationCommand === "" ? { validationCommand } : {};
      return Config.parse({ ...own, ...isOff, review: { ...own.review, ...review } });
    },
  };
}
