// Violations that are known and not mended yet, by what is said of them. They are counted and printed; whatever is not listed here
// fails. A line goes when its cause is mended, and the simulation fails from then on if it comes back.

const known: readonly { readonly id: string; readonly says: RegExp }[] = [
  // What the person does while a reviewer reads, or while a question waits inside a task, ends up in the task's commit.
  { id: "F1", says: /^the commit ".*" has what the person wrote into / },
];

export function knownAs(violation: string): string | undefined {
  return known.find(({ says }) => says.test(violation))?.id;
}
