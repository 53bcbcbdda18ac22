// Every row, in the order in which they are measured and written down.

import type { Row } from "../row.ts";
import { commandLineRows } from "./command-line.ts";
import { dispatchRows } from "./dispatch.ts";
import { engineRows } from "./engine.ts";
import { largeRows } from "./large.ts";
import { piStartRows } from "./pi-start.ts";
import { pipelineRows } from "./pipeline.ts";
import { planRows } from "./plan.ts";
import { streamRows } from "./stream.ts";
import { taskRows } from "./tasks.ts";
import { validationRows } from "./validation.ts";

export const all: readonly Row[] = [
  ...engineRows,
  ...streamRows,
  ...dispatchRows,
  ...commandLineRows,
  ...piStartRows,
  ...pipelineRows,
  ...planRows,
  ...taskRows,
  ...largeRows,
  ...validationRows,
];
