// superteam doctor: checks the setup: what is there, what is missing, and how to fix it.

import { dirname } from "node:path";
import { backends } from "../../../adapters/agents/backends.ts";
import { openBackends } from "../../../adapters/agents/open-backends.ts";
import { isIn } from "../../../adapters/place/is-in.ts";
import { placesFolder } from "../../../adapters/place/places-folder.ts";
import { type Located, locate } from "../../../adapters/repo/git/place/locate.ts";
import { troubleWithWorktrees } from "../../../adapters/repo/git/place/worktree.ts";
import { readUncommitted } from "../../../adapters/repo/git/tree/uncommitted.ts";
import { backendsIn, Config } from "../../../core/run/config.ts";
import { checkFix } from "../../../core/run/unchecked.ts";
import { count } from "../../../core/text/format.ts";
import { wrapWords } from "../../../core/text/width.ts";
import { type CommandKey, commandKeys, foundText, withCommands } from "../../../core/validation/found-command.ts";
import { reasonOf } from "../../../ports/failure.ts";
import type { Brought } from "../../../ports/trust.ts";
import { expectedOf } from "../../../runs/life/trust.ts";
import { storeText } from "../../../runs/prune.ts";
import { exitCodes } from "../../exit-code.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { workplaceAt } from "../../wiring/workplace-at.ts";
import { answerWith } from "../say.ts";

interface Finding {
  readonly ok: boolean;
  /** Nothing is missing, but a run is worth less so. */
  readonly isWeak?: boolean;
  readonly name: string;
  readonly found: string;
}

export async function doctor(folder: string, json = false): Promise<number> {
  const node = { ok: true, name: "node", found: process.versions.node };
  const located = await locate(folder);
  const findings: readonly Finding[] = located.found
    ? [node, ...(await inTree(located.place.root, folder))]
    : [
        node,
        { ok: false, name: "repository", found: located.problem.message },
        ...(await agents(folder, usual.backend)),
      ];
  const missing = findings.filter((finding) => !finding.ok).length;
  const all = findings.map(({ ok, isWeak = false, name, found }) => ({ name, ok, weak: isWeak, found }));
  answerWith(json, { ready: missing === 0, findings: all }, [
    ...findings.map(findingLine),
    missing === 0
      ? 'Ready: superteam run "<what to build>"'
      : `${count(missing, "problem")} to fix.${canDemo(findings, located) ? " superteam demo works meanwhile." : ""}`,
  ]);
  return exitCodes[missing === 0 ? "finished" : "not-possible"];
}

/** The demo makes its own repository and model: it needs git and pi alone. */
function canDemo(findings: readonly Finding[], located: Located): boolean {
  const isWithoutGit = !located.found && ["git-missing", "git-too-old"].includes(located.problem.kind);
  return !isWithoutGit && findings.some(({ ok, name }) => ok && name === usual.backend);
}

/** Where what was found begins. */
const margin = 17;

function findingLine({ ok, isWeak, name, found }: Finding): string {
  const lines = process.stdout.isTTY ? wrapWords(found, (process.stdout.columns || 80) - margin) : found.split("\n");
  return `${isWeak ? "▲" : ok ? "✓" : "✗"} ${name.padEnd(14)} ${lines.join(`\n${" ".repeat(margin)}`)}`;
}

const usual = Config.parse({});
const prunes = "superteam runs prune removes old ones";

async function inTree(root: string, folder: string): Promise<readonly Finding[]> {
  const { tracked, untracked } = await readUncommitted(root, []);
  const tree =
    tracked.length === 0
      ? `clean${untracked.length === 0 ? "" : `, ${untracked.length} untracked`}`
      : `${tracked.length} uncommitted: commit or stash them before a run`;
  const runs = await runsAt(root);
  const store = (await runs.list()).length === 0 ? "no runs yet" : `${await storeText(runs)} (${prunes})`;
  const found = await configured(root).catch(reasonOf);
  const names = backendsIn(typeof found === "object" ? found.config : usual);
  return [
    { ok: true, name: "repository", found: root },
    { ok: true, name: "store", found: store },
    { ok: tracked.length === 0, name: "tree", found: tree },
    ...(typeof found === "object" ? configFindings(found) : [{ ok: false, name: "configuration", found }]),
    await worktrees(root, typeof found === "object" ? found.config : usual),
    ...(await Promise.all(names.map((name) => agents(folder, name)))).flat(),
  ];
}

/** Tests are tried out in worktrees of their own: a run that needs one asks what to do where none can be made. */
async function worktrees(root: string, { worktree }: Pick<Config, "worktree">): Promise<Finding> {
  const folder = placesFolder(worktree, root, `doctor-${process.pid}`);
  const above = dirname(folder);
  const trouble = isIn(folder, root)
    ? "it is inside the repository, where your own tools would pick them up"
    : await troubleWithWorktrees(root, folder);
  const found =
    trouble === undefined
      ? `work, in ${above}`
      : `cannot be created in ${above}: ${trouble}. Set worktree.folder to a writable folder outside the repository, or tdd to off.`;
  return { ok: true, isWeak: trouble !== undefined, name: "worktrees", found };
}

/** What takes effect now, what would if the person trusted the repository's own, and what cannot be used. */
async function configured(root: string) {
  const place = await workplaceAt(root);
  const files = place.settings({});
  const { expected, brought } = await expectedOf(await place.brought(files), place.trust, false);
  const config = withCommands(await files.holding(() => expected.config).read(), expected.commands);
  const changes = await files.changes(expected.config, brought.config);
  const wanted = withCommands(await files.read(), brought.commands);
  return { config, wanted, set: await files.read(), isTrusted: changes.length === 0, brought };
}

function configFindings({ config, wanted, set, isTrusted, brought }: Awaited<ReturnType<typeof configured>>) {
  const valid = isTrusted ? "valid" : "valid; .superteam.json is ignored until you trust it, and the next run asks";
  const both = commandKeys.map((key) =>
    checkOf(key, { now: config[key], wanted: wanted[key], isSet: set[key] !== undefined, brought }),
  );
  const none = {
    ok: true,
    isWeak: true,
    name: "check",
    found: `none: no command runs after a change. ${checkFix}`,
  };
  const isNone = commandKeys.every((key) => wanted[key] === "");
  return [
    { ok: true, isWeak: !isTrusted, name: "configuration", found: valid },
    ...brought.ignored.map((found) => ({ ok: true, isWeak: true, name: "trust", found })),
    ...(isNone ? [none] : both.flat()),
  ];
}

const checkNames = { validationCommand: "check", testCommand: "tests" } as const;

interface Commands {
  readonly now: string;
  readonly wanted: string;
  /** By the configuration, instead of found. */
  readonly isSet: boolean;
  readonly brought: Brought;
}

/** A command that takes effect, or would if it were trusted, and where it was found. */
function checkOf(key: CommandKey, { now, wanted, isSet, brought }: Commands): readonly Finding[] {
  const name = checkNames[key];
  const found = brought.commands.find((one) => one.key === key);
  const text = (command: string): string => (found?.command === command ? foundText(found) : command);
  if (now !== "") return [{ ok: true, name, found: `after each change: ${text(now)}` }];
  if (wanted === "") return [];
  const when = isSet ? "Once you trust .superteam.json" : "The next run asks whether you trust";
  return [{ ok: true, isWeak: true, name, found: `none yet. ${when}: ${text(wanted)}` }];
}

async function agents(folder: string, name: string): Promise<readonly Finding[]> {
  const search = await openBackends(backends, process.env).find(name);
  if (!search.found) return [{ ok: false, name, found: search.detail }];
  const { backend } = search;
  const lacks = (backend.lacks?.() ?? []).map((found) => ({ ok: true, isWeak: true, name: "search", found }));
  const program = { ok: true, name, found: backend.description };
  const answer = await backend.models(folder);
  if (!answer.ok) return [program, ...lacks, { ok: false, name: "models", found: answer.detail }];
  const { models } = answer;
  const found =
    models.length === 0 ? `none: ${backend.loginAdvice}` : `${models.length}: ${models.slice(0, 5).join(", ")}`;
  return [program, ...lacks, { ok: models.length > 0, name: "models", found }];
}
