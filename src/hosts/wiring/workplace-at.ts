// Wires what use cases need, and the ports of a run, to what is on this machine.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { backends } from "../../adapters/agents/backends.ts";
import { leftoversOf } from "../../adapters/agents/open-backends.ts";
import { commandFiles } from "../../adapters/checks/command-files.ts";
import { redefined } from "../../adapters/checks/redefined.ts";
import { shellChecks } from "../../adapters/checks/shell.ts";
import { treeFiles } from "../../adapters/checks/tree-files.ts";
import type { Furnishing } from "../../adapters/place/furnish.ts";
import { placesFolder } from "../../adapters/place/places-folder.ts";
import { worktreePlaces } from "../../adapters/place/worktrees.ts";
import { systemClock } from "../../adapters/process/clock.ts";
import { runNotifyCommand } from "../../adapters/process/notify-command.ts";
import { openRepo } from "../../adapters/repo/git/open.ts";
import { branchesOf } from "../../adapters/repo/git/place/branches.ts";
import type { WorkingTree } from "../../adapters/repo/git/place/locate.ts";
import { whyNotNow } from "../../adapters/repo/git/place/operation.ts";
import { worktreesOf } from "../../adapters/repo/git/place/worktree.ts";
import { onSlowGit } from "../../adapters/repo/git/process/patience.ts";
import { excludeOwnFiles } from "../../adapters/repo/git/tree/excludes.ts";
import { readUncommitted } from "../../adapters/repo/git/tree/uncommitted.ts";
import { profileRoles } from "../../adapters/roles/profiles.ts";
import { ignoredContext } from "../../adapters/roles/project-context.ts";
import { projectProfiles } from "../../adapters/roles/project-profiles.ts";
import { globalConfigFile, settings } from "../../adapters/settings/file.ts";
import { documents, pathInTree } from "../../adapters/store/documents.ts";
import { fileRuns } from "../../adapters/store/file-runs.ts";
import { loadedPlanFile } from "../../adapters/store/loaded-plan.ts";
import { projectionFiles } from "../../adapters/store/projection-files.ts";
import { fingerprint, trustFile } from "../../adapters/trust/file.ts";
import { commandsFor } from "../../core/validation/find-commands.ts";
import { withCommands } from "../../core/validation/found-command.ts";
import type { Granted } from "../../engine/drive/world.ts";
import { roleNames } from "../../pipelines/pipelines.ts";
import type { Checks } from "../../ports/checks.ts";
import type { Place, Places } from "../../ports/place.ts";
import type { Runs } from "../../ports/runs.ts";
import type { Settings, TreeSettings } from "../../ports/settings.ts";
import { type Brought, type Grant, noGrant } from "../../ports/trust.ts";
import type { Wired, WireOrder, Workplace } from "../../runs/workplace.ts";
import { anyTreeAt, treeAt } from "./tree-at.ts";

/** The working tree this folder is in. Throws a Problem if it is in none. */
export async function workplaceAt(folder: string): Promise<Workplace> {
  return workplaceIn(await treeAt(folder));
}

/** Where a run can be ended, which no longer needs a tree to work in. */
export async function workplaceToEnd(folder: string): Promise<Workplace> {
  return workplaceIn(await anyTreeAt(folder));
}

function workplaceIn(place: WorkingTree): Workplace {
  const { root } = place;
  const runs = fileRuns(place);
  return {
    root,
    clock: systemClock,
    session: { pid: process.pid, versions: { node: process.versions.node } },
    runs,
    projections: projectionFiles(root),
    tree: {
      has: (path) => existsSync(join(root, path)),
      uncommitted: (documents) => readUncommitted(root, documents),
      inTheWay: () => whyNotNow(place, "no run can work here"),
      pathOf: (folder, said) => pathInTree(root, folder, said),
      reach: (path) => documents(root).read(path),
      excludeOwnFiles: () => excludeOwnFiles(place),
    },
    branches: branchesOf(root),
    loadedPlan: loadedPlanFile(place),
    // What is trusted is trusted for all working trees of the repository.
    trust: trustFile(join(dirname(globalConfigFile(process.env)), "trust.json"), place.commonDir),
    leftovers: leftoversOf(backends),
    settings: (flags) => settings({ root, roles: roleNames, flags }),
    brought: (from) => broughtBy(root, from),
    openRepo: (runId, documents) => openRepo({ root, runId, documents }),
    removePlaces: (runId) => worktreesOf(root).removeIn(runId),
    notify: (command, message) => runNotifyCommand(command, message, root),
    onSlowGit,
    wire: (order) => wire({ ...order, root, runs }),
    grant: (order, held) => grant({ ...order, root, runs }, held),
  };
}

/** Throws what is wrong with a profile or the configuration. */
export async function broughtBy(root: string, from: Pick<TreeSettings, "text" | "holding">): Promise<Brought> {
  const [config, { profiles, ignored }] = await Promise.all([from.text(), projectProfiles(root, roleNames)]);
  const files = treeFiles(root);
  const commands = commandsFor(await from.holding(() => config).read(), files);
  const theirs = await from.holding(() => null).read();
  const own = commandsFor(theirs, files).filter(({ key }) => theirs[key] !== undefined);
  const subjects = [
    ...profiles.map(({ path, text }) => ({ name: path, content: text })),
    ...(config === null ? [] : [{ name: ".superteam.json", content: config }]),
    ...commands.map(({ key, command, definition }) => ({ name: key, content: `${command}\n${definition}` })),
  ];
  return {
    config,
    profiles,
    commands,
    own,
    ignored: [...ignored, ...ignoredContext(root)],
    hash: fingerprint(subjects),
  };
}

export interface Wiring extends WireOrder {
  readonly root: string;
  readonly runs: Runs;
}

/** Nothing that the repository contains takes effect yet: see `grant`. */
export async function wire(wiring: Wiring): Promise<Wired> {
  const { runId, runs, backends, backend } = wiring;
  return {
    ...(await grant(wiring, () => noGrant)),
    agents: backends.agents,
    clock: systemClock,
    inbox: await runs.inbox(runId),
    dispatches: runs.dispatches(runId),
    history: runs.history,
    queue: runs.queue,
    patience: wiring.patience,
    session: { pid: process.pid, versions: { node: process.versions.node, [backend.name]: backend.version } },
  };
}

/** The ports that use the repository's own settings and profiles, as far as they are trusted. */
export async function grant(wiring: Wiring, held: () => Grant): Promise<Granted> {
  const { root, model, roles } = wiring;
  const trusted = wiring.settings.holding(() => held().config);
  const settings = { read: async () => withCommands(await trusted.read(), held().commands) };
  const { execution } = await settings.read();
  return {
    settings,
    places: placesOf(wiring, settings, held),
    roles: profileRoles({ root, settings, model, models: hostModels(wiring), overrides: () => held().profiles }),
    next: (role) => (execution.warmSpares ? roles.find(({ name }) => name === role)?.next : undefined),
  };
}

/** The working tree, and worktrees that the run opens beside it. */
function placesOf({ root, runId, repo }: Wiring, settings: Settings, held: () => Grant): Places {
  const checksAt = (cwd: string): Checks => ({
    run: async (command, signal, options) => {
      const config = await settings.read();
      const limit = options?.tests === true ? { timeoutMs: config.testTimeoutMinutes * 60_000 } : {};
      const shell = shellChecks({ cwd, environment: config.environment, ...limit });
      return redefined(cwd, command, held()) ?? shell.run(command, signal, options);
    },
    files: (command) => Promise.resolve(commandFiles(cwd, command)),
  });
  const placeAt = async (at: string): Promise<Place> => ({
    root: at,
    repo: await openRepo({ root: at, runId, documents: [] }),
    checks: checksAt(at),
    documents: documents(at),
  });
  return worktreePlaces({
    tree: { root, repo, checks: checksAt(root), documents: documents(root) },
    folder: async () => placesFolder((await settings.read()).worktree, root, runId),
    worktrees: worktreesOf(root),
    furnishing: async (signal) => {
      const { worktree, environment, testCommand = "" } = await settings.read();
      const run: Furnishing["run"] = async (cwd, command) => {
        const { exitCode, output, timedOut } = await shellChecks({ cwd, environment }).run(command, signal);
        const late = timedOut ? "\nIt did not end within 10 minutes, and was ended." : "";
        return { passed: exitCode === 0, output: `${output}${late}` };
      };
      const { copy, setup, copyLimitMb } = worktree;
      return { copy, setup, copyLimitMb, testCommand, run };
    },
    placeAt,
  });
}

/** Asks a backend once which models it can use: a profile's own model is only a preference. */
function hostModels({ backends, root }: Wiring): (backend: string) => Promise<readonly string[]> {
  const known = new Map<string, Promise<readonly string[]>>();
  const ask = async (name: string): Promise<readonly string[]> => {
    const search = await backends.find(name);
    const found = search.found ? await search.backend.models(root) : undefined;
    return found?.ok ? found.models : [];
  };
  return (name) => {
    const models = known.get(name) ?? ask(name);
    known.set(name, models);
    return models;
  };
}
