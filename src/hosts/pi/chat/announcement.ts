// The active run of a tree, for the person who comes back to it.

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { recap } from "../../../engine/views/show/recap.ts";
import { reasonOf } from "../../../ports/failure.ts";
import { lookAtActive } from "../../../runs/look/look.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { entryType, type Said } from "../kept.ts";
import { tellIn } from "./tell.ts";

type Newcomer = Pick<ExtensionContext, "ui" | "mode" | "hasUI" | "cwd" | "sessionManager">;

export async function announce(newcomer: Newcomer): Promise<void> {
  const text = await announcement(newcomer.cwd);
  if (text !== undefined && text !== lastSaid(newcomer)) tellIn(newcomer, text, "info");
}

/** After a reload the chat is still there. */
function lastSaid({ sessionManager }: Newcomer): string | undefined {
  const entry = sessionManager.getLeafEntry();
  // Only superteam writes entries of this type.
  return entry?.type === "custom" && entry.customType === entryType ? (entry.data as Said).text : undefined;
}

/** Undefined when no run is active. A journal that cannot be read is reported, and blocks nothing. */
async function announcement(folder: string): Promise<string | undefined> {
  try {
    const look = await lookAtActive(await runsAt(folder));
    if (look === undefined) return undefined;
    const { view, owner } = look;
    const next =
      owner === undefined
        ? "Continue it: /workflow. See more: /workflow status. End it: /workflow abort."
        : `It is running in process ${owner.pid}. See more: /workflow status.`;
    return `${recap(view, { isAlive: owner !== undefined })}\n${next}`;
  } catch (error) {
    return `A superteam run is active in this tree and cannot be read: ${reasonOf(error)}`;
  }
}
