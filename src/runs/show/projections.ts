// What is kept on disk for others to read during a run: the snapshot and the progress file. Both are folds over
// the journal and can be made again at any time.

import { isRequest } from "../../core/flow/keys.ts";
import type { Redact } from "../../core/text/secrets.ts";
import { documentPath, formatProgress } from "../../engine/views/files/progress.ts";
import { formatReport } from "../../engine/views/files/report.ts";
import { toSnapshot } from "../../engine/views/files/snapshot.ts";
import { viewOf } from "../../engine/views/fold/run-view.ts";
import type { RunView } from "../../engine/views/fold/shape.ts";
import type { Documents, Latest, ProjectionFiles, SnapshotFile, Warn } from "../../ports/documents.ts";
import { reasonOf } from "../../ports/failure.ts";
import type { Entry } from "../../ports/journal.ts";

export interface ProjectionOptions {
  readonly files: ProjectionFiles;
  /** Where the documents go is the run's to say; one without such a document has none written. */
  readonly view: RunView;
  readonly redact: Redact;
  readonly trouble: Warn;
}

/** They are written now and then, and at once when a question is asked. */
export class Projections {
  readonly #options: ProjectionOptions;
  readonly #snapshot: SnapshotFile;
  readonly #progress: Latest<RunView>;
  /** Once published a document belongs to the run's history and is not written again. */
  #progressDone = false;
  #closed = false;

  constructor(options: ProjectionOptions) {
    const { files, trouble } = options;
    this.#options = options;
    this.#snapshot = files.snapshot(trouble);
    // The view changes in place: what is written is what it says by then.
    this.#progress = files.latest((view) => this.#write("progress", formatProgress(view)), trouble);
  }

  /** Documents that an earlier process has published are left as they are. */
  recall(entries: readonly Entry[]): void {
    this.#progressDone = isPublished(entries);
  }

  update(): void {
    const { view } = this.#options;
    if (this.#closed) return;
    if (isAsking(view)) {
      void this.#told(this.#snapshot.write(() => toSnapshot(view)));
      if (!this.#progressDone) void this.#told(this.#progress.write(view));
      return;
    }
    this.#snapshot.update(() => toSnapshot(view));
    if (!this.#progressDone) this.#progress.update(view);
  }

  async publish(document: "progress" | "summary"): Promise<void> {
    const { view } = this.#options;
    if (document === "summary") {
      await this.#write("summary", formatReport(view));
      return;
    }
    this.#progressDone = true;
    await this.#progress.write(view);
  }

  /** Leaves the last state on disk, or nothing when the run has ended. */
  async close(ended: boolean): Promise<void> {
    const { view } = this.#options;
    this.#closed = true;
    if (!this.#progressDone) await this.#told(this.#progress.write(view));
    if (ended) await this.#snapshot.remove();
    else await this.#snapshot.write(() => toSnapshot(view));
  }

  async #write(document: "progress" | "summary", text: string): Promise<number> {
    const path = documentPath(this.#options.view, document);
    if (path === undefined) return 0;
    const { files, redact } = this.#options;
    await files.documents.write(path, redact(text));
    return text.length;
  }

  /** A view that cannot be written is no reason to stop a run. */
  async #told(write: Promise<void>): Promise<void> {
    await write.catch((cause) => this.#options.trouble(reasonOf(cause)));
  }
}

/** Says how a run ended in the progress file it left behind. One that is published, or was never written, stays so. */
export async function leaveProgress(documents: Documents, entries: readonly Entry[]): Promise<void> {
  const view = viewOf(entries);
  const path = view.documents["progress"];
  if (path === undefined || isPublished(entries) || (await documents.read(path)) === null) return;
  await documents.write(path, formatProgress(view));
}

function isPublished(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.type === "settle" && isRequest(entry.key, "publish", "progress"));
}

/** Whether the last entry is a question: it may wait for days, and what is on disk is to be no older. */
function isAsking({ subject, open }: RunView): boolean {
  return subject.kind === "request" && subject.request.request.do === "ask" && open.has(subject.request.key);
}
