import type { Option } from "../core/flow/question.ts";

export type Level = "info" | "warning" | "error";

export interface Dialog {
  readonly id: string;
  readonly title: string;
  readonly message: string;
}

/**
 * The person. Each question resolves with the answer (an option's key, `yes`/`no`, or text), or with undefined when
 * the person closed it or, without a person, when no answer was given beforehand: the run is then suspended. Aborting
 * the signal takes the dialog away and resolves with undefined too. An answer that is not among the options is never
 * returned.
 */
export interface Person {
  select(
    dialog: Dialog & { readonly options: readonly Option[]; readonly recommended?: string },
    signal: AbortSignal,
  ): Promise<string | undefined>;
  confirm(dialog: Dialog & { readonly recommended?: "yes" | "no" }, signal: AbortSignal): Promise<string | undefined>;
  input(
    dialog: Dialog & { readonly placeholder?: string; readonly default?: string; readonly recommended?: string },
    signal: AbortSignal,
  ): Promise<string | undefined>;
  editor(
    dialog: Dialog & { readonly prefill: string; readonly recommended?: string },
    signal: AbortSignal,
  ): Promise<string | undefined>;
  notify(message: string, level: Level): void;
  /** One line that is replaced by the next; undefined clears it. */
  status(slot: string, text: string | undefined): void;
  /** A few lines that are replaced by the next; undefined clears them. */
  widget(id: string, lines: readonly string[] | undefined): void;
}
