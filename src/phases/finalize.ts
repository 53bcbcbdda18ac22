// Says what the run came to, and leaves its progress and summary in the repository.

import { type Flow, publish, record } from "../core/flow.ts";
import { inOneLine, type Report } from "../core/report.ts";
import { inShort, type RunDocuments } from "../core/slug.ts";
import { commitDocuments } from "./documents.ts";

export function* finalize(report: Report, documents: RunDocuments): Flow<Report> {
  yield* record({ type: "report", text: inOneLine(report) });
  yield* publish("progress");
  yield* publish("summary");
  yield* commitDocuments({
    step: "finalize",
    name: "documents",
    message: `workflow: progress and summary — ${inShort(report.goal)}`,
    documents: [documents.progress, documents.summary],
  });
  return report;
}
