// The text of a file with one mutant in it, or with many of which one can be chosen while the program runs.

import type { Mutant } from "./mutants.ts";
import type { Span } from "./operators.ts";

/** A mutant that can be switched on and off. */
export interface Switched {
  readonly id: number;
  readonly mutant: Mutant & { readonly within: Span };
}

export function isSwitchable<T extends { readonly mutant: Mutant }>(
  each: T,
): each is T & { readonly mutant: Switched["mutant"] } {
  return each.mutant.within !== undefined;
}

export function mutated(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** All in one text. Each asks by its id whether it is on; what is on never contains another one. */
export function withSwitches(text: string, all: readonly Switched[]): string {
  const inOrder = all.toSorted(
    ({ mutant: a }, { mutant: b }) => a.within.start - b.within.start || b.within.end - a.within.end,
  );
  return render(text, { start: 0, end: text.length }, inOrder);
}

function render(text: string, span: Span, inOrder: readonly Switched[]): string {
  const [first] = inOrder;
  if (first === undefined) return text.slice(span.start, span.end);
  const { within } = first.mutant;
  const isSame = ({ mutant }: Switched): boolean =>
    mutant.within.end === within.end && mutant.within.start === within.start;
  const inside = inOrder.filter((each) => !isSame(each) && each.mutant.within.end <= within.end);
  const after = inOrder.filter((each) => each.mutant.within.start >= within.end);
  const choices = inOrder
    .filter(isSame)
    .map(({ id, mutant }) => `globalThis.isOn(${id}) ? (${changed(text, mutant)}) : `);
  const original = render(text, within, inside);
  const rest = render(text, { start: within.end, end: span.end }, after);
  return `${text.slice(span.start, within.start)}(${choices.join("")}(${original}))${rest}`;
}

function changed(text: string, { within, start, end, replacement }: Switched["mutant"]): string {
  // A statement that is left out.
  if (end > within.end) return "undefined";
  return text.slice(within.start, start) + replacement + text.slice(end, within.end);
}
