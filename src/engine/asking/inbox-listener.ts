// Listens to other processes during a run: answers, stop and abort. Each gets its receipt when what it asked
// for is on disk: an answer when it is settled, a stop or an abort when the run has stopped.

import type { Inbox } from "../../ports/runs.ts";
import type { Halt } from "../drive/halt.ts";
import type { QuestionQueue } from "./question-queue.ts";

/** Returns how to stop listening and give the receipts that had to wait. */
export function listenInbox(inbox: Inbox, questions: QuestionQueue, halt: Halt): (text: string) => Promise<void> {
  const answers: Promise<void>[] = [];
  const atRest: string[] = [];
  const deaf = inbox.listen((message) => {
    if (message.kind === "answer") {
      answers.push(questions.hear(message).then((reply) => inbox.receipt(message.id, reply)));
      return;
    }
    atRest.push(message.id);
    halt.stop(message.kind === "abort" ? "aborted" : "stopped");
  });
  return async (text) => {
    deaf();
    await Promise.all(answers);
    for (const id of atRest) await inbox.receipt(id, { ok: true, text });
  };
}
