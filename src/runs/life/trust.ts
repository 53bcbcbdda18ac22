// What a repository contains decides nothing until the person trusts it (S2): its configuration, its commands, its profiles.
// It takes effect only in the exact content the person trusted. What is trusted is recorded in the run's journal with its
// text: whatever happens to the files, during the run or before it is resumed, the run works with that text until the person
// trusts another.

import { readAside } from "../../core/flow/keys.ts";
import type { Answered, Question } from "../../core/flow/question.ts";
import type { FoundCommand } from "../../core/validation/found-command.ts";
import { type Asides, openAsides } from "../../engine/asking/asides.ts";
import type { Ahead } from "../../engine/asking/question-queue.ts";
import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import type { Journal } from "../../ports/journal.ts";
import type { SettingChange, TreeSettings } from "../../ports/settings.ts";
import { type Brought, type Grant, type KnownTrust, namesOf, noGrant, type TrustMemory } from "../../ports/trust.ts";
import { ignoredText, ownChangeText, trustQuestion, trustQuestionId, untrustedText } from "./trust-text.ts";

export interface TrustOptions {
  readonly journal: Journal;
  readonly memory: TrustMemory;
  readonly settings: Pick<TreeSettings, "changes" | "ownChange">;
  /** What the repository contains now. Throws when it cannot be used. */
  readonly look: () => Promise<Brought>;
}

/** `--trust` answers for what is there when the session begins, without anybody being asked. */
const byFlag: Answered = { answer: "trust", by: "policy" };

/** The trust of one session. */
export class RepositoryTrust {
  readonly #options: TrustOptions;
  #held: Grant & { readonly hash: string | null };
  /** Content that was decided about in this session, by hash. */
  readonly #decided = new Set<string>();
  #turn: Promise<void> = Promise.resolve();

  constructor(options: TrustOptions) {
    this.#options = options;
    this.#held = grantIn(options.journal) ?? { ...noGrant, hash: null };
  }

  /** What takes effect now. */
  get held(): Grant {
    return this.#held;
  }

  /** Before the first step. Asks unless the person's memory, this run's journal or the flag decides. */
  async open(brought: Brought, desk: Asides, isGiven: boolean): Promise<void> {
    for (const [index, line] of brought.ignored.entries()) await desk.warn(line, `${brought.hash}-ignored-${index}`);
    await this.#settle(brought, desk, isGiven ? byFlag : undefined);
  }

  /** In the middle of a run: what has changed is reported, and used only once it is trusted. One at a time. */
  renew(desk: Asides): Promise<void> {
    const turn = this.#turn.then(() => this.#look(desk));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #look(desk: Asides): Promise<void> {
    const own = await this.#options.settings.ownChange();
    if (own !== undefined) await this.#tellOnce(ownChangeText(own), desk);
    try {
      await this.#settle(await this.#options.look(), desk, undefined);
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      const text = `What this repository contains for superteam was changed and cannot be used. The run continues with what you trusted. ${reasonOf(error)}`;
      await this.#tellOnce(text, desk);
    }
  }

  async #tellOnce(text: string, desk: Asides): Promise<void> {
    if (this.#decided.has(text)) return;
    this.#decided.add(text);
    await desk.warn(text, text);
  }

  async #settle(brought: Brought, desk: Asides, given: Answered | undefined): Promise<void> {
    const { hash } = brought;
    if (this.#decided.has(hash)) return;
    const changes = await this.#options.settings.changes(this.#held.config, brought.config);
    if (hash === this.#held.hash || (changes.length === 0 && sameContent(brought, this.#held)))
      return desk.withdraw(trustQuestionId, "");
    const known = await this.#options.memory.look(hash);
    if (known.trouble !== undefined) await desk.warn(known.trouble, known.trouble);
    if (known.trusted || (!this.#hasTrusted && isOwnAlone(brought))) {
      await desk.withdraw(trustQuestionId, "");
      return this.#use(brought, desk, "person");
    }
    const said = await this.#ask(brought, changes, { desk, known, given });
    this.#decided.add(hash);
    if (said.answer !== "trust") {
      await desk.warn(ignoredText(brought, this.#held), `${hash}-ignored`);
      // What the person's own configuration sets is used all the same: as it is now.
      const { own } = brought;
      if (!this.#hasTrusted && own.length > 0)
        await this.#use({ ...noGrant, commands: own, hash: `own ${hash}` }, desk, "person");
      return;
    }
    if (said.fresh && given === undefined) await this.#remember(brought, desk);
    await this.#use(brought, desk, said.by);
  }

  get #hasTrusted(): boolean {
    return namesOf(this.#held).length > 0;
  }

  /**
   * After a stop the question is asked again. After "continue without" it is not, unless that was nobody's word, or the flag
   * says otherwise now.
   */
  async #ask(
    brought: Brought,
    changes: readonly SettingChange[],
    { desk, known, given }: { readonly desk: Asides; readonly known: KnownTrust; readonly given: Answered | undefined },
  ): Promise<Answered & { readonly fresh: boolean }> {
    const isChanged = known.before || this.#hasTrusted;
    const { where } = this.#options.memory;
    const question: Question = trustQuestion(brought, changes, { isChanged, held: this.#held, where });
    for (let time = 1; ; time++) {
      const mark = `${brought.hash}-${time}`;
      await desk.withdraw(trustQuestionId, mark);
      const said = await desk.ask(question, mark, given);
      const isMeant = said.fresh || said.by !== "policy";
      if (said.answer === "trust" || (said.answer === "without" && isMeant && given === undefined)) return said;
      if (said.fresh && said.answer === "stop") desk.stop();
    }
  }

  async #use(
    { config, profiles, commands, hash }: Grant & { readonly hash: string },
    desk: Asides,
    by: Answered["by"],
  ): Promise<void> {
    const texts = profiles.map(({ role, path, text }) => ({ role, path, text }));
    await desk.record({ type: "trusted", hash, config, profiles: texts, commands, by });
    this.#held = { config, profiles: texts, commands, hash };
  }

  async #remember(brought: Brought, desk: Asides): Promise<void> {
    try {
      await this.#options.memory.remember(brought.hash, namesOf(brought));
    } catch (cause) {
      await desk.warn(
        `What you trust could not be remembered, so the next run asks again: ${reasonOf(cause)}`,
        `${brought.hash}-unremembered`,
      );
    }
  }
}

/** What the person has trusted in this run, last of all. */
function grantIn({ entries }: Journal): (Grant & { readonly hash: string }) | undefined {
  const found = entries.findLast(
    (entry) => entry.type === "begin" && entry.request.do === "record" && entry.request.fact.type === "trusted",
  );
  if (found?.type !== "begin" || found.request.do !== "record" || found.request.fact.type !== "trusted")
    return undefined;
  return { ...noGrant, ...found.request.fact };
}

/** Nothing but what the person's own configuration asks for. */
function isOwnAlone({ config, profiles, commands, own }: Brought): boolean {
  const isOwn = ({ key, command }: FoundCommand): boolean =>
    own.some((one) => one.key === key && one.command === command);
  return config === null && profiles.length === 0 && commands.length > 0 && commands.every(isOwn);
}

/** The same profiles and commands; the configuration may be written differently. */
function sameContent(one: Grant, other: Grant): boolean {
  const textsOf = ({ profiles, commands }: Grant): string =>
    JSON.stringify([
      profiles.map(({ path, text }) => [path, text]),
      commands.map(({ key, command, definition }) => [key, command, definition]),
    ]);
  return textsOf(one) === textsOf(other);
}

/** An answer is only good for the files that were there when the question was asked. */
export function stillMeant(ahead: Ahead | undefined, journal: Journal, { hash }: Brought): Ahead | undefined {
  if (ahead?.question !== trustQuestionId) return ahead;
  const open = openAsides(journal, trustQuestionId);
  return open.some((key) => readAside(key)?.mark.startsWith(`${hash}-`)) ? ahead : undefined;
}

/** What surely takes effect, before anybody is asked: what was trusted before, or with the flag. */
export async function expectedOf(
  brought: Brought,
  memory: TrustMemory,
  isGiven: boolean,
): Promise<{ readonly expected: Grant; readonly brought: Brought }> {
  const { trusted, trouble } = await memory.look(brought.hash);
  const ignored = [...brought.ignored, ...(trouble === undefined ? [] : [trouble])];
  return { expected: isGiven || trusted ? brought : noGrant, brought: { ...brought, ignored } };
}

/** What takes effect when nobody can be asked: what was trusted before, or nothing. */
export async function trustedBefore(
  brought: Brought,
  memory: TrustMemory,
): Promise<{ readonly grant: Grant; readonly told: readonly string[] }> {
  if (namesOf(brought).length === 0) return { grant: noGrant, told: brought.ignored };
  const known = await memory.look(brought.hash);
  const told = [...brought.ignored, ...(known.trouble === undefined ? [] : [known.trouble])];
  if (known.trusted) return { grant: brought, told };
  return { grant: noGrant, told: [...told, untrustedText(brought)] };
}
