// What is kept on disk for others to read while a run goes on: the snapshot and the progress file. Both are folds over
// the journal and can be made anew at any time.

import { documents as documentsIn } from "../../adapters/store/documents.ts";
import { type SnapshotWriter, snapshotWriter } from "../../adapters/store/snapshot-writer.ts";
import { formatProgress } from "../../engine/views/progress.ts";
import { formatReport } from "../../engine/views/report.ts";
import type { RunView } from "../../engine/views/run-view.ts";
import { toSnapshot } from "../../engine/views/state.ts";
import type { Entry } from "../../ports/journal.ts";

export interface RunDocumentPaths {
  readonly progress: string;
  readonly summary: string;
}

export interface ProjectionOptions {
  readonly root: string;
  readonly view: RunView;
  readonly paths: RunDocumentPaths;
  readonly trouble: (message: string) => void;
}

/** The progress file is written at most this often while a run goes on. */
const progressEveryMs = 1000;

export class Projections {
  readonly #options: ProjectionOptions;
  readonly #snapshot: SnapshotWriter;
  readonly #documents: ReturnType<typeof documentsIn>;
  /** Once published a document belongs to the run's history and is not written again. */
  #progressDone = false;
  #progress: Promise<void> = Promise.resolve();
  #progressAt = 0;

  constructor(options: ProjectionOptions) {
    this.#options = options;
    this.#documents = documentsIn(options.root);
    this.#snapshot = snapshotWriter({ root: options.root, clock: { now: Date.now }, trouble: options.trouble });
  }

  /** Documents that an earlier process has published are left as they are. */
  recall(entries: readonly Entry[]): void {
    this.#progressDone = entries.some((entry) => entry.type === "settle" && entry.key.includes("publish:progress#"));
  }

  update(): void {
    this.#snapshot.update(toSnapshot(this.#options.view));
    if (this.#progressDone || Date.now() - this.#progressAt < progressEveryMs) return;
    this.#progressAt = Date.now();
    this.#writeProgress();
  }

  async publish(document: "progress" | "summary"): Promise<void> {
    const { view, paths } = this.#options;
    if (document === "summary") return this.#documents.write(paths.summary, formatReport(view));
    this.#progressDone = true;
    await this.#progress;
    await this.#documents.write(paths.progress, formatProgress(view));
  }

  /** Leaves the last state on disk, or nothing when the run has ended. */
  async close(ended: boolean): Promise<void> {
    if (!this.#progressDone) this.#writeProgress();
    await this.#progress;
    if (ended) await this.#snapshot.remove();
    else await this.#snapshot.write(toSnapshot(this.#options.view));
  }

  #writeProgress(): void {
    const text = formatProgress(this.#options.view);
    const write = (): Promise<void> => this.#documents.write(this.#options.paths.progress, text);
    this.#progress = this.#progress.then(write).catch((cause: Error) => this.#options.trouble(cause.message));
  }
}
