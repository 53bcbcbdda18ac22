// Listens to other processes while a run goes on: answers, stop and abort. Each gets its receipt when what it asked
// for is on disk: an answer when it is settled, a stop or an abort when the run has come to rest.

import type { Inbox, InboxMessage } from "../../ports/runs.ts";
import type { Halt } from "../drive/halt.ts";
import type { QuestionQueue } from "./question-queue.ts";

export class InboxListener {
  readonly #inbox: Inbox;
  readonly #questions: QuestionQueue;
  readonly #halt: Halt;
  readonly #deaf: () => void;
  readonly #answers: Promise<void>[] = [];
  readonly #atRest: string[] = [];

  constructor(inbox: Inbox, questions: QuestionQueue, halt: Halt) {
    this.#inbox = inbox;
    this.#questions = questions;
    this.#halt = halt;
    this.#deaf = inbox.listen((message) => this.#hear(message));
  }

  /** Stops listening and gives the receipts that had to wait. */
  async close(text: string): Promise<void> {
    this.#deaf();
    await Promise.all(this.#answers);
    for (const id of this.#atRest) await this.#inbox.receipt(id, { ok: true, text });
  }

  #hear(message: InboxMessage): void {
    if (message.kind === "answer") {
      this.#answers.push(this.#answer(message));
      return;
    }
    this.#atRest.push(message.id);
    this.#halt.stop(message.kind === "abort" ? "aborted" : "stopped");
  }

  async #answer(message: InboxMessage & { readonly kind: "answer" }): Promise<void> {
    await this.#inbox.receipt(message.id, await this.#questions.hear(message));
  }
}
