// What is typed at a list of options, key by key. A word moves nothing, and Enter after it is meant for the word: it takes the
// option that the word names, and never the one that happens to be marked.

import { answerText, numberedOptions, type Question, readAnswer } from "../../core/flow/question.ts";
import { oneLine } from "../../core/text/format.ts";
import { truncate } from "../../core/text/width.ts";

/** What the words and keys of one list mean. */
export interface Meanings {
  /** What this key alone answers at once. */
  readonly key: (key: string) => string | undefined;
  /** The option that a word names: what it answers, and how it is called. */
  readonly word: (word: string) => { readonly answer: string; readonly label: string } | undefined;
  /** Which keys do something here. */
  readonly working: string;
}

/** A number answers at once, and a word means what it would mean to `superteam answer`. */
export function meaningsOf(question: Question, working: string): Meanings {
  const options = numberedOptions(question);
  return {
    key: (key) => (/^[1-9]$/.test(key) ? options[Number(key) - 1]?.key : undefined),
    word(word) {
      const reading = readAnswer(question, word);
      return reading.ok ? { answer: reading.answer, label: answerText(question, reading.answer) } : undefined;
    },
    working,
  };
}

/** What keys came to: an answer, or keys for the list itself, of which there may be none. */
export type Heard = { readonly answer: string } | { readonly forList: string };

const nothing: Heard = { forList: "" };
const enter = /[\r\n]/;
const letter = /[^\0-\x1f\x7f]/;
const eraser = /[\b\x7f]/;
const clearLine = "\x15";
/** Alt and a letter is no Escape. */
const altLetters = /\x1b[!-NP-Z\\-~]/g;
const listKeys = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~])?|[\r\n]/g;
const longestShown = 24;

const refused = (word: string): string => `"${truncate(oneLine(word), longestShown)}" is not an answer here`;

export function typedWords(meanings: Meanings) {
  let typed = "";
  let note = "";
  const useless = (word: string): string => `${refused(word)}: ${meanings.working} work.`;
  const noteOn = (word: string): string => {
    if (word === "") return "";
    const meant = meanings.word(word);
    if (meant !== undefined) return `Enter answers: ${oneLine(meant.label)}`;
    // A number is a part of a word before it, and not of another number.
    return /^\d+$/.test(word) ? useless(word) : `${refused(word)}. Enter clears it.`;
  };
  const type = (key: string): void => {
    if (letter.test(key)) typed += key;
    else if (eraser.test(key)) typed = typed.slice(0, -1);
    else if (key === clearLine) typed = "";
    note = letter.test(key) || eraser.test(key) || key === clearLine ? noteOn(typed) : unknownKey;
  };
  const unknownKey = `That key does nothing here: ${meanings.working} work.`;
  /** A word that names nothing is told of until the next key. */
  const entered = (): string | undefined => {
    const meant = meanings.word(typed);
    note = meant === undefined ? useless(typed) : "";
    typed = "";
    return meant?.answer;
  };
  return {
    /** What to say about it; empty where there is nothing to say. */
    note: () => note,
    /** What is pasted names no option, and is none of the keys either. */
    refusePaste(): void {
      typed = "";
      note = `Pasted text is not an answer here: ${meanings.working} work.`;
    },
    hear(keys: string): Heard {
      const alone = keys.replace(/[\r\n]+$/, "");
      // A number that is none of the options is no beginning of a word.
      const said = /^\d*$/.test(typed) && alone.length === 1 ? meanings.key(alone) : undefined;
      if (said !== undefined) return { answer: said };
      if (keys.includes("\x1b") || (typed === "" && alone === "")) {
        [typed, note] = ["", ""];
        return { forList: (keys.replace(altLetters, "").match(listKeys) ?? []).join("") };
      }
      for (const key of keys) {
        if (!enter.test(key)) type(key);
        else if (typed !== "") {
          const answer = entered();
          if (answer !== undefined) return { answer };
        }
      }
      return nothing;
    },
  };
}
