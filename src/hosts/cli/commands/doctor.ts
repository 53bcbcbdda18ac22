// superteam doctor: what is found and what is missing, each with the fix.

import { backends } from "../../../adapters/agents/backends.ts";
import { openBackends } from "../../../adapters/agents/open-backends.ts";
import { locate } from "../../../adapters/repo/git/place/locate.ts";
import { readUncommitted } from "../../../adapters/repo/git/tree/uncommitted.ts";
import { settings } from "../../../adapters/settings/file.ts";
import { Config } from "../../../core/run/config.ts";
import { roleNames } from "../../../pipelines/pipelines.ts";
import { exitCodes } from "../exit-code.ts";

interface Finding {
  readonly ok: boolean;
  readonly name: string;
  readonly found: string;
}

export async function doctor(folder: string): Promise<number> {
  const findings = [node(), ...(await repository(folder)), ...(await agents(folder))];
  for (const { ok, name, found } of findings)
    process.stdout.write(`${ok ? "✓" : "✗"} ${name.padEnd(14)} ${found.replaceAll("\n", `\n${" ".repeat(17)}`)}\n`);
  const missing = findings.filter((finding) => !finding.ok).length;
  process.stdout.write(
    missing === 0
      ? 'All is there: superteam run "<what to build>"\n'
      : `${missing} to fix. superteam demo works meanwhile, if node and git are there.\n`,
  );
  return missing === 0 ? exitCodes.finished : exitCodes.notPossibleHere;
}

function node(): Finding {
  return { ok: true, name: "node", found: process.versions.node };
}

async function repository(folder: string): Promise<readonly Finding[]> {
  const located = await locate(folder);
  if (!located.found) return [{ ok: false, name: "repository", found: located.problem.message }];
  const { root } = located.place;
  const { tracked, untracked } = await readUncommitted(root, []);
  const tree =
    tracked.length === 0
      ? `clean, ${untracked.length} untracked`
      : `${tracked.length} uncommitted: commit or stash them before a run`;
  return [
    { ok: true, name: "repository", found: root },
    { ok: tracked.length === 0, name: "tree", found: tree },
    await configuration(root),
  ];
}

async function configuration(root: string): Promise<Finding> {
  try {
    const { validationCommand } = await settings({ root, roles: roleNames }).read();
    return {
      ok: true,
      name: "configuration",
      found:
        validationCommand === ""
          ? "valid; no validationCommand, so nothing is checked before reviews"
          : `valid; validation: ${validationCommand}`,
    };
  } catch (error) {
    return { ok: false, name: "configuration", found: error instanceof Error ? error.message : String(error) };
  }
}

async function agents(folder: string): Promise<readonly Finding[]> {
  const name = await backendFor(folder);
  const search = await openBackends(backends, process.env).find(name);
  if (!search.found) return [{ ok: false, name, found: search.detail }];
  const { backend } = search;
  const program = { ok: true, name, found: backend.description };
  const models = await backend.models(folder);
  if (!models.ok) return [program, { ok: false, name: "models", found: models.detail }];
  const some = models.models.slice(0, 5).join(", ");
  if (models.models.length === 0)
    return [program, { ok: false, name: "models", found: `none: ${backend.loginAdvice}` }];
  return [program, { ok: true, name: "models", found: `${models.models.length}: ${some}` }];
}

/** The configured one. A configuration that cannot be read is told by its own line. */
async function backendFor(folder: string): Promise<string> {
  const located = await locate(folder);
  const config = located.found
    ? await settings({ root: located.place.root, roles: roleNames })
        .read()
        .catch(() => undefined)
    : undefined;
  return (config ?? Config.parse({})).backend;
}
