// What a turn is entered as when its cost was not reported: its tokens at the price of its model, as far as that is known.
// Rather a little too much than nothing: the ledger is never too low.

import { soundUsage, tokensOf, type Usage } from "../../core/flow/dispatch.ts";
import type { Agents, PricedOrder, TurnUsage } from "../../ports/agents.ts";
import { unknownModel } from "../../ports/agents.ts";
import type { History } from "../../ports/runs.ts";
import { hasNoPrice, usdPerToken } from "../views/fold/ledger.ts";
import type { Tally } from "./tally.ts";

export interface PriceSources {
  readonly history: History;
  /** Without a backend at hand its list is not asked. */
  readonly agents: Pick<Agents, "price">;
}

/** The dispatch a turn belongs to. `expectedUsd` is what one like it costs. */
export interface PricedDispatch extends PricedOrder {
  readonly role: string;
  readonly expectedUsd: number;
}

/** What was reported, without what cannot be. A turn that was cut before its cost was known costs what its tokens do. */
export async function soundTurn(
  sources: PriceSources,
  tally: Tally,
  { model, usage }: TurnUsage,
  dispatch: PricedDispatch,
): Promise<TurnUsage> {
  const sound = soundUsage(usage, dispatch.expectedUsd);
  if (!sound.estimated || sound.costUsd > 0) return { model, usage: sound };
  const named = model === unknownModel ? (lastModelOf(tally, dispatch.role) ?? model) : model;
  const price = await priceOf(sources, tally, named, dispatch);
  return { model: price.model, usage: { ...sound, costUsd: price.of(sound) } };
}

interface Price {
  readonly model: string;
  of(usage: Usage): number;
}

/** This run is believed first, then earlier ones, then the backend's list. */
async function priceOf(
  { history, agents }: PriceSources,
  { view: { spend } }: Tally,
  model: string,
  dispatch: PricedDispatch,
): Promise<Price> {
  const each = (usd: number): Price => ({ model, of: (usage) => tokensOf(usage) * usd });
  const own = usdPerToken(spend, model);
  if (own > 0 || hasNoPrice(spend, model)) return each(own);
  const past = await pastPrice(history, model);
  if (past !== undefined) return each(past);
  const listed = await agents.price?.({ ...dispatch, model: model === unknownModel ? dispatch.model : model });
  if (listed === undefined) return { model, of: () => dispatch.expectedUsd };
  const { input, output } = listed;
  return { model: listed.model, of: (usage) => (tokensOf(usage) - usage.output) * input + usage.output * output };
}

/** An agent without a model of its own is given the same one as others of its role. */
function lastModelOf({ view }: Tally, role: string): string | undefined {
  const lines = [...view.spend.dispatches.values()];
  return lines.findLast((line) => line.role === role && line.model !== null)?.model ?? undefined;
}

/** A history that cannot be read knows no prices; whoever needs it for more says so. */
async function pastPrice(history: History, model: string): Promise<number | undefined> {
  const { runs } = await history.read().catch(() => ({ runs: [] }));
  return runs.findLast(({ prices }) => prices?.[model] !== undefined)?.prices?.[model];
}
