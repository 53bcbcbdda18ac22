// Violations that are known and not repaired yet, by what is said of them. They are counted and printed; whatever is not listed here
// fails. A line goes when its cause is repaired, and the simulation fails from then on if it comes back.

const known: readonly { readonly id: string; readonly says: RegExp }[] = [];

export function knownAs(violation: string): string | undefined {
  return known.find(({ says }) => says.test(violation))?.id;
}
