// Where plans are. Separate, so that commands that only read a run load no schema.

/** Where the plan of a part goes; they count from 1, and the first is where the plan of the whole would be. */
export function planPath(plan: string, part: number): string {
  return part === 1 ? plan : plan.replace(/(\.md)?$/, `-${part}$1`);
}
