// What a person can get wrong or lack, told in words and with an exit code: never a stack trace.

export const exitCodes = {
  finished: 0,
  failed: 1,
  waiting: 2,
  overBudget: 3,
  wrongUsage: 4,
  notPossibleHere: 5,
  interrupted: 130,
} as const;

export class Problem extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.name = "Problem";
    this.exitCode = exitCode;
  }
}
