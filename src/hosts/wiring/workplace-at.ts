// Wires what use cases need to what is on this machine.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { backends } from "../../adapters/agents/backends.ts";
import { leftoversOf } from "../../adapters/agents/open-backends.ts";
import { systemClock } from "../../adapters/process/clock.ts";
import { openRepo } from "../../adapters/repo/git/open.ts";
import { branchesOf } from "../../adapters/repo/git/place/branches.ts";
import { excludeOwnFiles } from "../../adapters/repo/git/tree/excludes.ts";
import { readUncommitted } from "../../adapters/repo/git/tree/uncommitted.ts";
import { projectProfiles } from "../../adapters/roles/project-profiles.ts";
import { globalConfigFile, settings } from "../../adapters/settings/file.ts";
import { pathInTree } from "../../adapters/store/documents.ts";
import { fileRuns } from "../../adapters/store/file-runs.ts";
import { loadedPlanFile } from "../../adapters/store/loaded-plan.ts";
import { projectionFiles } from "../../adapters/store/projection-files.ts";
import { fingerprint, trustFile } from "../../adapters/trust/file.ts";
import { roleNames } from "../../pipelines/pipelines.ts";
import type { WorkingFiles } from "../../ports/repo.ts";
import type { TreeSettings } from "../../ports/settings.ts";
import type { Brought } from "../../ports/trust.ts";
import { claimName } from "../../runs/life/trust.ts";
import type { Workplace } from "../../runs/workplace.ts";
import { treeAt } from "./tree-at.ts";
import { grant, wire } from "./wire.ts";

/** The working tree this folder is in. Throws a Problem when there is none. */
export async function workplaceAt(folder: string): Promise<Workplace> {
  const place = await treeAt(folder);
  const { root } = place;
  const runs = fileRuns(place);
  const projections = projectionFiles(root);
  return {
    root,
    clock: systemClock,
    session: { pid: process.pid, versions: { node: process.versions.node } },
    runs,
    documents: projections.documents,
    projections,
    tree: { ...filesOf(root), excludeOwnFiles: () => excludeOwnFiles(place) },
    branches: branchesOf(root),
    loadedPlan: loadedPlanFile(place),
    // What is trusted is trusted for all working trees of the repository.
    trust: trustFile(join(dirname(globalConfigFile(process.env)), "trust.json"), place.commonDir),
    leftovers: leftoversOf(backends),
    settings: (flags) => settings({ root, roles: roleNames, flags }),
    brought: (from) => broughtBy(root, from),
    openRepo: (runId, documents) => openRepo({ root, runId, documents }),
    wire: (order) => wire({ ...order, root, runs }),
    grant: (order, what) => grant({ ...order, root, runs }, what),
  };
}

function filesOf(root: string): Omit<WorkingFiles, "excludeOwnFiles"> {
  return {
    has: (path) => existsSync(join(root, path)),
    uncommitted: (documents) => readUncommitted(root, documents),
    pathOf: (folder, said) => pathInTree(root, folder, said),
  };
}

/** Throws what is wrong with a profile or the configuration. */
export async function broughtBy(root: string, from: Pick<TreeSettings, "claims">): Promise<Brought> {
  const [claims, { profiles, ignored }] = await Promise.all([from.claims(), projectProfiles(root, roleNames)]);
  const subjects = [
    ...profiles.map(({ path, text }) => ({ name: path, content: text })),
    ...claims.map(({ path, value }) => ({ name: claimName(path), content: JSON.stringify(value) })),
  ];
  return { claims, profiles, ignored, hash: fingerprint(subjects) };
}
