// What is kept on disk for others to read while a run goes on: the snapshot and the progress file. Both are folds over
// the journal and can be made anew at any time.

import { LatestWriter } from "../../adapters/files/latest-writer.ts";
import { reasonOf } from "../../adapters/files/present.ts";
import { documents as documentsIn } from "../../adapters/store/documents.ts";
import { type SnapshotWriter, snapshotWriter } from "../../adapters/store/snapshot-writer.ts";
import { isRequest } from "../../core/flow/keys.ts";
import { formatProgress } from "../../engine/views/files/progress.ts";
import { formatReport } from "../../engine/views/files/report.ts";
import { toSnapshot } from "../../engine/views/files/snapshot.ts";
import { viewOf } from "../../engine/views/fold/run-view.ts";
import type { RunView } from "../../engine/views/fold/shape.ts";
import type { Entry } from "../../ports/journal.ts";

/** A run without such a document has none written. */
export interface RunDocumentPaths {
  readonly progress?: string | undefined;
  readonly summary?: string | undefined;
}

export interface ProjectionOptions {
  readonly root: string;
  readonly view: RunView;
  readonly paths: RunDocumentPaths;
  readonly trouble: (message: string) => void;
  readonly pace?: Pace;
}

/** How much time is at least between two writes of a file, unless a question is asked. */
export interface Pace {
  readonly snapshotMs: number;
  readonly progressMs: number;
}

const usualPace: Pace = { snapshotMs: 250, progressMs: 1000 };

export class Projections {
  readonly #options: ProjectionOptions;
  readonly #snapshot: SnapshotWriter;
  readonly #documents: ReturnType<typeof documentsIn>;
  readonly #progress: LatestWriter<RunView>;
  /** Once published a document belongs to the run's history and is not written again. */
  #progressDone = false;
  #closed = false;

  constructor(options: ProjectionOptions) {
    const { root, paths, trouble, pace = usualPace } = options;
    this.#options = options;
    this.#documents = documentsIn(root);
    this.#snapshot = snapshotWriter({ root, clock: { now: Date.now }, everyMs: pace.snapshotMs, trouble });
    // The view changes in place: what is written is what it says by then.
    const put = (view: RunView): Promise<void> => this.#write(paths.progress, formatProgress(view));
    this.#progress = new LatestWriter({ everyMs: pace.progressMs, put, trouble });
  }

  /** Documents that an earlier process has published are left as they are. */
  recall(entries: readonly Entry[]): void {
    this.#progressDone = isPublished(entries);
  }

  update(): void {
    const { view } = this.#options;
    if (this.#closed) return;
    if (isAsking(view)) {
      void this.#told(this.#snapshot.write(toSnapshot(view)));
      if (!this.#progressDone) void this.#told(this.#progress.write(view));
      return;
    }
    this.#snapshot.update(toSnapshot(view));
    if (!this.#progressDone) this.#progress.update(view);
  }

  async publish(document: "progress" | "summary"): Promise<void> {
    const { view, paths } = this.#options;
    if (document === "summary") return this.#write(paths.summary, formatReport(view));
    this.#progressDone = true;
    await this.#progress.write(view);
  }

  /** Leaves the last state on disk, or nothing when the run has ended. */
  async close(ended: boolean): Promise<void> {
    const { view } = this.#options;
    this.#closed = true;
    if (!this.#progressDone) await this.#told(this.#progress.write(view));
    if (ended) await this.#snapshot.remove();
    else await this.#snapshot.write(toSnapshot(view));
  }

  async #write(path: string | undefined, text: string): Promise<void> {
    if (path !== undefined) await this.#documents.write(path, text);
  }

  /** A view that cannot be written is no reason to stop a run. */
  async #told(write: Promise<void>): Promise<void> {
    await write.catch((cause) => this.#options.trouble(reasonOf(cause)));
  }
}

/** Says how a run ended in the progress file it left behind. One that is published, or was never written, stays so. */
export async function leaveProgress(root: string, entries: readonly Entry[]): Promise<void> {
  const view = viewOf(entries);
  const path = view.documents["progress"];
  const documents = documentsIn(root);
  if (path === undefined || isPublished(entries) || (await documents.read(path)) === null) return;
  await documents.write(path, formatProgress(view));
}

function isPublished(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.type === "settle" && isRequest(entry.key, "publish", "progress"));
}

/** Whether the last entry is a question: it may wait for days, and what is on disk is to be no older. */
function isAsking({ subject, questions }: RunView): boolean {
  return subject.kind === "request" && questions.has(subject.request.key);
}
