// Says what the run came to: as data for whoever shows it, as a document, and in the repository.

import { type Flow, record, write } from "../core/flow.ts";
import { type Report, reportText } from "../core/report.ts";
import { inShort } from "../core/slug.ts";
import { commitDocuments } from "./documents.ts";

export function* finalize(report: Report): Flow<Report> {
  const text = reportText(report);
  yield* write(report.documents.summary, text);
  yield* record({ type: "report", text, data: report });
  yield* commitDocuments({
    step: "finalize",
    name: "documents",
    message: `workflow: progress and summary — ${inShort(report.goal)}`,
    documents: [report.documents.progress, report.documents.summary],
  });
  return report;
}
