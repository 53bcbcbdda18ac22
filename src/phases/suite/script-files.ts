// The files that the checks of some work run from: the person and the reviewers are shown what the work does to them.

import { commandFiles, type Flow, record } from "../../core/flow/flow.ts";
import { listed } from "../../core/text/format.ts";
import { type CommandFiles, type ScriptChange, scriptChanges } from "../../core/validation/scripts/script-files.ts";
import { type Checked, commandsOf } from "./suite.ts";

/** What the checks run from now; nothing where there are none. */
export function* lookAtScripts(name: string, checked: Checked): Flow<readonly CommandFiles[]> {
  const commands = commandsOf(checked);
  return commands.length === 0 ? [] : yield* commandFiles(name, commands);
}

export interface WorkOnChecks {
  /** Its id; null for the final fixes. */
  readonly task: string | null;
  /** What the checks ran from before the work. */
  readonly before: readonly CommandFiles[];
  /** Its diff, by path. */
  readonly paths: readonly string[];
  /** What the person has been told of before. */
  readonly told: Set<string>;
}

/** What the work changed. The person is told of each file once. */
export function* tellScripts(checked: Checked, work: WorkOnChecks): Flow<readonly ScriptChange[]> {
  const { task, before, paths, told } = work;
  const changes = scriptChanges({ before, now: yield* lookAtScripts("scripts", checked), paths });
  for (const { command, changed, unseen } of changes) {
    const isNew = (path: string): boolean => !told.has(`${command}\n${path}`);
    const news = { changed: changed.filter(isNew), unseen: unseen.filter(isNew) };
    for (const path of [...news.changed, ...news.unseen]) told.add(`${command}\n${path}`);
    if (news.changed.length + news.unseen.length > 0)
      yield* record({ type: "scripts.changed", task, command, ...news });
  }
  return changes;
}

/** For who reviews it. */
export function scriptEvidence(changes: readonly ScriptChange[]): readonly string[] {
  return changes.flatMap(({ command, changed, unseen }) => [
    ...(changed.length === 0
      ? []
      : [
          `This change edits ${listed(changed)}, which \`${command}\` runs: see that it still checks as much as before.`,
        ]),
    ...(unseen.length === 0
      ? []
      : [`\`${command}\` runs ${listed(unseen)}, which changed during this work and is in no diff.`]),
  ]);
}
