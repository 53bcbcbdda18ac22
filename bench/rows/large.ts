// What superteam does around one writer in a large repository: 50,000 files, and 2 GB of them in large ones, beside what git
// takes to look at such a tree once.

import { execFile } from "node:child_process";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { openRepo } from "../../src/adapters/repo/git/open.ts";
import { inFolder } from "../folder.ts";
import { type Row, sideBySide, timed } from "../row.ts";

export const largeRows: readonly Row[] = [
  {
    name: "large-repository",
    what: "the work around one writer (capture, compare, changes, commit) in a repository of 50,000 files and 2 GB / git status there",
    bar: 4,
    measure: (strain) =>
      inFolder(async (root) => {
        await makeLarge(root);
        const repo = await openRepo({ root, runId: "bench", documents: [] });
        const status = () => call("git", ["-C", root, "status", "--porcelain"]);
        let writers = 0;
        const oneWriter = async (): Promise<number> => {
          const name = `writer-${++writers}`;
          const start = performance.now();
          const given = await repo.snapshot(name);
          const before = performance.now() - start;
          write(root, name);
          const after = await timed(1, async () => {
            const { changed } = await repo.afterWriter({ given, ours: [] }, name);
            const { files, tree } = await repo.changes(given);
            const order = { message: name, run: "bench", request: `bench/${writers}`, since: given, tree };
            const { status: how } = await repo.commit(order);
            if (changed.length !== 4 || files.length !== 4 || how !== "committed")
              throw new Error(`Four changes should be committed, and ${files.length} are ${how}.`);
          });
          return before + after;
        };
        // What is only done once: git reads every file that is as young as its index.
        await status();
        await oneWriter();
        const ours = async (): Promise<number> => {
          let sum = 0;
          for (let time = 0; time < strain; time++) sum += await oneWriter();
          return sum;
        };
        return sideBySide(rounds, "ms", { ours, theirs: () => timed(1, status) });
      }),
  },
];

const rounds = 7;
const call = promisify(execFile);
const [folders, inEach] = [500, 100];
const [largeFiles, largeBytes] = [256, 8 * 1024 * 1024];

/** The large files are holes: they take no room on the disk. */
async function makeLarge(root: string): Promise<void> {
  for (let folder = 0; folder < folders; folder++) {
    mkdirSync(folderAt(root, folder), { recursive: true });
    for (let file = 0; file < inEach; file++)
      writeFileSync(
        join(folderAt(root, folder), `file-${file}.ts`),
        `export const value = ${folder * inEach + file};\n`,
      );
  }
  mkdirSync(join(root, "assets"));
  for (let file = 0; file < largeFiles; file++) {
    const path = join(root, "assets", `${file}.bin`);
    writeFileSync(path, "");
    truncateSync(path, largeBytes);
  }
  const git = (...args: readonly string[]) => call("git", ["-C", root, ...args]);
  await git("init", "--quiet", "--initial-branch=main");
  await git("config", "user.name", "Bench");
  await git("config", "user.email", "bench@example.org");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=Everything");
}

const folderAt = (root: string, folder: number): string => join(root, "src", `area-${folder % 20}`, `part-${folder}`);

function write(root: string, name: string): void {
  for (let folder = 0; folder < 3; folder++)
    writeFileSync(join(folderAt(root, folder), "file-0.ts"), `export const value = "${name}";\n`);
  writeFileSync(join(folderAt(root, 0), `${name}.ts`), "export {};\n");
}
