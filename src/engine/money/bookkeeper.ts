// What a turn is entered as. Usage that cannot be, or never comes, is replaced by an estimate that is marked as one, and
// the person is told once for each model; so they are of a model without a price.

import { noUsage, soundUsage, tokensIn, tokensOf, type Usage } from "../../core/flow/dispatch.ts";
import type { TurnUsage } from "../../ports/agents.ts";
import type { Asides } from "../asking/asides.ts";
import type { Tally } from "./tally.ts";

export interface Unreported {
  readonly model: string;
  /** Characters of what it was given and of what it said. */
  readonly asked: number;
  readonly said: number;
  readonly expectedUsd: number;
}

export class Bookkeeper {
  readonly #tally: Tally;
  readonly #desk: Pick<Asides, "warn">;
  readonly #told = new Set<string>();

  constructor(tally: Tally, desk: Pick<Asides, "warn">) {
    this.#tally = tally;
    this.#desk = desk;
  }

  /** `expectedUsd` is what a dispatch like this one costs. */
  sound(turn: TurnUsage, expectedUsd: number): TurnUsage {
    return soundTurn(this.#tally, turn, expectedUsd);
  }

  /** For an agent that finished and never said what it used. */
  estimate({ model, asked, said, expectedUsd }: Unreported): TurnUsage {
    const costUsd = this.#tally.isUnpriced(model) ? 0 : expectedUsd;
    return { model, usage: { ...noUsage, input: tokensIn(asked), output: tokensIn(said), costUsd, estimated: true } };
  }

  /** What the person should know of a turn that is in the ledger by now; without a report nothing was said of it. */
  async tell({ model, usage }: TurnUsage, reported?: Usage): Promise<void> {
    if (reported === undefined) {
      await this.#once(
        `usage-missing-${model}`,
        `${model} does not say what it uses. Its cost is counted as an estimate.`,
      );
    } else if (soundUsage(reported, 0) !== reported) {
      await this.#once(
        `usage-unsound-${model}`,
        `${model} reported usage that cannot be right. It is counted as an estimate.`,
      );
    } else if (!usage.estimated && this.#tally.isUnpriced(model)) {
      await this.#once(
        `usage-unpriced-${model}`,
        `${model} reports no cost. It is limited in tokens and dispatches instead (costs.unpricedTokens, costs.unpricedDispatches).`,
      );
    }
  }

  async #once(mark: string, text: string): Promise<void> {
    if (this.#told.has(mark)) return;
    this.#told.add(mark);
    await this.#desk.warn(text, mark);
  }
}

/** What was reported, without what cannot be. A turn that was cut before its cost was known costs what its tokens usually do. */
export function soundTurn(tally: Tally, { model, usage }: TurnUsage, expectedUsd: number): TurnUsage {
  const sound = soundUsage(usage, expectedUsd);
  if (!sound.estimated || sound.costUsd > 0) return { model, usage: sound };
  return { model, usage: { ...sound, costUsd: tokensOf(sound) * tally.usdPerToken(model) } };
}
