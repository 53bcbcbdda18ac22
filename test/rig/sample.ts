// A sample of what there is too much of to try it all, spread evenly: one of each so many, by a seed. Another seed, and in the end
// all of it, is tried by SUPERTEAM_SEED=<number>, as for property tests.

const seed = Number(process.env["SUPERTEAM_SEED"] ?? 1) || Date.now();

/** Whether this one, by its number, is among the sample. */
export function isSampled(number: number, oneOf: number): boolean {
  return number % oneOf === mixed(Math.floor(number / oneOf)) % oneOf;
}

/** Every bit of it depends on every bit of the group and of the seed: the last one alone decides where two take turns. */
function mixed(group: number): number {
  const once = Math.imul(seed ^ Math.imul(group + 1, 0x9e3779b1), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 15), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
