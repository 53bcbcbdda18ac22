// A folder that has to be there, made with all those above it.

import { mkdir } from "node:fs/promises";
import { OutsideFailure, reasonOf } from "../../ports/failure.ts";

export async function makeFolder(folder: string, remedy: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    const message = `The folder ${folder} could not be created (${reasonOf(cause)}). ${remedy}`;
    throw new OutsideFailure("unwritable", message.trimEnd(), { cause });
  });
}
