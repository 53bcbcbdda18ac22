// Whatever an agent or a person may do to files and index, as data for property tests.

import fc from "../../rig/property.ts";
import type { RepoRig } from "../repo.ts";

export type Edit =
  | { readonly do: "write"; readonly path: string; readonly text: string }
  | { readonly do: "delete" | "stage" | "unstage"; readonly path: string }
  | { readonly do: "rename"; readonly path: string; readonly to: string }
  | { readonly do: "commit" };

/** Few names, so that they meet: files of the repository and of the person, odd ones, and folders in place of files. */
export const somePaths = ["a", "b", "d", "d/x", "d/y", "d/e/z", "a/inner", "mine", "mine/inner", "ü \n-", "x.log"];
export const rulePaths = [".gitignore", "d/.gitignore"];
export const someTexts = ["1", "2", "mine\n", "*.log\n", "e\nmine\n", "three\n"];

export function anyEdit(paths: readonly string[], texts: readonly string[]): fc.Arbitrary<Edit> {
  const path = fc.constantFrom(...paths);
  return fc.oneof(
    fc.record({ do: fc.constant("write" as const), path, text: fc.constantFrom(...texts) }),
    fc.record({ do: fc.constantFrom("delete" as const, "stage" as const, "unstage" as const), path }),
    fc.record({ do: fc.constant("rename" as const), path, to: path }),
    fc.record({ do: fc.constant("commit" as const) }),
  );
}

/** `subject`: of the commit, if it is one. */
export async function applyEdit(rig: RepoRig, edit: Edit, subject = "wip"): Promise<void> {
  switch (edit.do) {
    case "commit":
      return void (await rig.commit(subject, []));
    case "stage":
      return await rig.stage(edit.path);
    case "unstage":
      return await rig.unstage(edit.path);
    case "delete":
      return await rig.remove(edit.path);
    case "write":
      await makeRoom(rig, edit.path);
      return await rig.write(edit.path, edit.text);
    case "rename":
      return await move(rig, edit.path, edit.to);
  }
}

async function move(rig: RepoRig, from: string, to: string): Promise<void> {
  const isInside = to.startsWith(from) || from.startsWith(to);
  const isThere = [...(await rig.files()).keys()].some((name) => isAtOrIn(name, from));
  if (isInside || !isThere) return;
  await makeRoom(rig, to);
  await rig.rename(from, to);
}

const isAtOrIn = (name: string, folder: string): boolean => name === folder || name.startsWith(`${folder}/`);

/** Removes what is in the way of a file: a folder, or a file where a folder has to be. */
async function makeRoom(rig: RepoRig, path: string): Promise<void> {
  const present = await rig.files();
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (present.has(path.slice(0, end))) await rig.remove(path.slice(0, end));
  }
  await rig.remove(path);
}
