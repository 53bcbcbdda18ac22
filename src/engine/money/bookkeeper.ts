// What a turn is entered as. Usage that cannot be, or never comes, is replaced by an estimate that is marked as one, and
// the person is warned once for each model; so they are of a model without a price.

import { noUsage, soundUsage, tokensIn, type Usage } from "../../core/flow/dispatch.ts";
import type { TurnUsage } from "../../ports/agents.ts";
import type { Asides } from "../asking/asides.ts";
import { hasNoPrice } from "../views/fold/ledger.ts";
import type { Tally } from "./tally.ts";

export class Bookkeeper {
  readonly #tally: Tally;
  readonly #desk: Pick<Asides, "warn">;
  readonly #told = new Set<string>();

  constructor(tally: Tally, desk: Pick<Asides, "warn">) {
    this.#tally = tally;
    this.#desk = desk;
  }

  /** For an agent that finished and never said what it used. Given are the characters of what it was asked and said. */
  estimate(model: string, asked: number, said: number, expectedUsd: number): TurnUsage {
    const costUsd = hasNoPrice(this.#tally.view.spend, model) ? 0 : expectedUsd;
    return { model, usage: { ...noUsage, input: tokensIn(asked), output: tokensIn(said), costUsd, estimated: true } };
  }

  /** What the person should know of a turn that is in the ledger by now; without a report nothing was said of it. */
  async tell(turn: TurnUsage, reported?: Usage): Promise<void> {
    const flaw = this.#flawOf(turn, reported);
    const mark = `usage-${flaw}-${turn.model}`;
    if (flaw === undefined || this.#told.has(mark)) return;
    this.#told.add(mark);
    await this.#desk.warn(`${turn.model} ${flaws[flaw]}`, mark);
  }

  #flawOf({ model, usage }: TurnUsage, reported: Usage | undefined): keyof typeof flaws | undefined {
    if (reported === undefined) return "missing";
    if (soundUsage(reported, 0) !== reported) return "unsound";
    return !usage.estimated && hasNoPrice(this.#tally.view.spend, model) ? "unpriced" : undefined;
  }
}

const flaws = {
  missing: "does not report what it uses. Its cost is estimated.",
  unsound: "reported usage that cannot be right. Its cost is estimated.",
  unpriced:
    "reports no cost. It is limited in tokens and agent calls instead (costs.unpricedTokens, costs.unpricedDispatches).",
};
