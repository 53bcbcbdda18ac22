// Moves a file that blocks one of the person's to a place beside the run's journal. It is never removed, because it may be theirs too.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Checkout } from "./checkout.ts";

/** Where a run keeps what it has put aside. */
export const asideFolder = ({ commonDir, runId }: Checkout): string =>
  join(commonDir, "superteam", "runs", runId, "put-back");

/** `as`: its path there. */
export async function putAside(checkout: Checkout, file: string | Buffer, as: string): Promise<void> {
  const wanted = join(asideFolder(checkout), as);
  const target = existsSync(wanted) ? `${wanted}-${randomUUID()}` : wanted;
  await mkdir(dirname(target), { recursive: true });
  await rename(file, target);
}
