// What a scout says, for tests: its report, and a proposal of standard mode unless a test says otherwise.

import type { z } from "zod";
import type { Triage } from "../../src/core/plan/triage.ts";
import { fenced } from "../../src/core/text/block.ts";

export function scouted(map: string, proposal: Partial<z.input<typeof Triage>> = {}): string {
  const value = { mode: "standard", reason: "It is a feature of its own.", ...proposal };
  return `${map}\n\n${fenced("superteam-json", JSON.stringify(value))}\n`;
}
