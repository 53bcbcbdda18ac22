// How much text each role is given, and how much of it a provider's cache can serve: what a dispatch has in common, from its
// first character on, with the dispatch of the same role before it. Agents get the system texts before the prompt.

import type { AgentOrder } from "../src/ports/agents.ts";

export type Said = Pick<AgentOrder, "role" | "system" | "context" | "prompt">;

export interface PromptLine {
  /** A role, or `task`: all that the agents of one task are given. */
  readonly who: string;
  readonly dispatches: number;
  /** Characters per dispatch, or per task. */
  readonly system: number;
  readonly prompt: number;
  /** Per cent of the characters that were the same in the dispatch before; null where there was only one. */
  readonly shared: number | null;
}

export function promptLines(said: readonly Said[], tasks: number): readonly PromptLine[] {
  const inTasks = said.filter(({ prompt }) => /\n\[superteam\] .*step=execute\/task-\S+ attempt=\d+\s*$/.test(prompt));
  const roles = [...Map.groupBy(said, ({ role }) => role)];
  return [
    ...roles.map(([who, orders]) => lineOf(who, orders, { per: orders.length, runs: [orders] })),
    lineOf("task", inTasks, { per: tasks, runs: [...Map.groupBy(inTasks, ({ role }) => role).values()] }),
  ];
}

function lineOf(
  who: string,
  orders: readonly Said[],
  { per, runs }: { readonly per: number; readonly runs: readonly (readonly Said[])[] },
): PromptLine {
  const pairs = runs.flatMap((run) => run.slice(1).map((order, index) => [run[index], order] as const));
  const [same, all] = pairs.reduce(
    ([shared, total], [before, order]) => [
      shared + commonStart(wholeOf(before), wholeOf(order)),
      total + wholeOf(order).length,
    ],
    [0, 0],
  );
  return {
    who,
    dispatches: orders.length,
    system: Math.round(sumOf(orders, ({ system, context }) => system.length + context.length) / per),
    prompt: Math.round(sumOf(orders, ({ prompt }) => prompt.length) / per),
    shared: all === 0 ? null : Math.round((same / all) * 100),
  };
}

/** As a backend puts it together. */
const wholeOf = (said: Said | undefined): string =>
  said === undefined ? "" : `${said.system}\n${said.context}\n${said.prompt}`;

export function commonStart(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

function sumOf<T>(values: readonly T[], amount: (value: T) => number): number {
  return values.reduce((sum, value) => sum + amount(value), 0);
}

/** For people to read, one line each. */
export function promptText(lines: readonly PromptLine[]): string {
  const head = "     prompts             dispatches   system   prompt   shared with the one before";
  const body = lines.map(({ who, dispatches, system, prompt, shared }) => {
    const cells = [String(dispatches).padStart(11), String(system).padStart(9), String(prompt).padStart(9)];
    return `     ${who.padEnd(18)}${cells.join("")}   ${shared === null ? "-" : `${shared} %`}`;
  });
  return [head, ...body].join("\n");
}
