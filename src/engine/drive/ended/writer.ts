// The end of a writer (E3b): what is not its work is undone.

import type { DispatchOutcome } from "../../../core/flow/dispatch.ts";
import type { DispatchRequest } from "../../../core/flow/flow.ts";
import { asideQuestion } from "../../../core/flow/keys.ts";
import type { Anchor, WriterTraces } from "../../../core/flow/repository.ts";
import type { AgentEvent } from "../../../ports/agents.ts";
import type { DocumentTexts } from "../../../ports/journal.ts";
import type { Place } from "../../../ports/place.ts";
import { putTextsBack } from "../given-documents.ts";
import { type Begun, refName } from "../requests.ts";
import type { World } from "../world.ts";

interface EndedWriter {
  readonly world: World;
  readonly place: Place;
  readonly begun: Begun;
  readonly request: DispatchRequest;
  readonly anchor: Anchor;
  readonly documents?: DocumentTexts;
}

type Left = Pick<DispatchOutcome, "touched" | "restored" | "start" | "isMixed" | "traces">;

export async function afterWriter(job: EndedWriter, last: AgentEvent | undefined): Promise<Left> {
  return { touched: [], restored: false, ...startOf(job), traces: await settleWriter(job, last) };
}

/** One that failed leaves nothing: what the person does later stays. */
async function settleWriter(job: EndedWriter, last: AgentEvent | undefined): Promise<WriterTraces> {
  const { world, place, anchor, begun, request, documents } = job;
  const { repo } = place;
  const name = refName(begun);
  const traces = await repo.afterWriter({ given: anchor, ours: request.ours ?? [] }, name);
  const given = { key: begun.key, ...(documents ? { documents } : {}) };
  if (last?.type === "finished") {
    await putTextsBack(world, place, given, { wrote: request.documents ?? [] });
    return traces;
  }
  const { unheld = [], ...others } = traces;
  const { asideIn } = await repo.undoWork({ start: anchor, files: [...traces.changed, ...unheld] }, name);
  await putTextsBack(world, place, given, "undone");
  const putBack = asideIn === undefined ? traces.putBack : { ...traces.putBack, filesKept: asideIn };
  return { ...others, left: anchor, changed: [], dirty: [], putBack };
}

/** What a writer was given. Once the person has kept what a try had left, nobody can tell whose work is in there. */
function startOf({ world, begun, anchor }: EndedWriter): Pick<Left, "start" | "isMixed"> {
  const before = (world.journal.recall(begun.key)?.tries ?? 1) - 1;
  for (let nth = 1; nth <= before; nth++) {
    const said = world.journal.recall(asideQuestion(begun.key, "run.restore", nth));
    if (said?.outcome === "keep") return { start: anchor, isMixed: true };
  }
  return { start: anchor };
}
