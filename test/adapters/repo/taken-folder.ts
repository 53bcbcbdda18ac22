// A folder that an agent gave to somebody else: its person can open it no more. Between the steps somebody who may do so takes src.
//   node taken-folder.ts <an empty folder> begin
//   node taken-folder.ts <the same folder> <how the agent ended>

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FilesLost } from "../../../src/core/flow/repository.ts";
import { repositoryWith } from "../../rig/prepared.ts";
import { beginning, rigIn } from "./rig.ts";

const [, , folder = "", step = ""] = process.argv;
const rig = rigIn(join(folder, "tree"));
const note = join(folder, "given.json");

if (step === "begin") await begin();
else await end();

async function begin(): Promise<void> {
  mkdirSync(rig.root);
  repositoryWith(rig.root, { ...beginning, files: { "src/a.txt": "committed\n", "b.txt": "one\n" } });
  await rig.write("src/mine.txt", "untracked\n");
  writeFileSync(note, JSON.stringify(await (await rig.open()).snapshot("s")));
}

async function end(): Promise<void> {
  const lost = await lostAtEnd();
  assert.deepEqual(lost?.files, step === "writer" ? ["src/mine.txt"] : ["src/a.txt", "src/mine.txt"]);
  await (await rig.open()).forgetStates();
  assert.equal(await rig.git("show", `${lost?.ref}:src/mine.txt`), "untracked\n");
}

async function lostAtEnd(): Promise<FilesLost | undefined> {
  const repo = await rig.open();
  const given = JSON.parse(readFileSync(note, "utf8"));
  if (step === "writer") return (await repo.afterWriter({ given, ours: [] }, "w")).putBack.filesLost;
  if (step === "reader") return (await repo.afterReader(given, "w")).around.filesLost;
  await repo.undoAround(given, Date.now() + 1000, "w");
  return (await repo.restore(given, "w")).filesLost;
}
