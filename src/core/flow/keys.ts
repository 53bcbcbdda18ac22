// The keys of the journal, built and parsed here and nowhere else (E5).
//
//   scope path    execute/task-2#2@3               names by depth; #2 is the second scope of that name, @3 its third epoch
//   request key   execute/task-2/dispatch:fix#1    the scope, the kind, the name and the occurrence
//   aside         <key>~ask:run.restore#2          a question or warning of the engine itself, no step of the flow; <key> is
//                                                  the request it is about, <scope>#0 for a scope, or nothing for the run
//
// A scope's name has no slash, colon or #, so that the first colon of a key ends its scope and its kind. A request's name may
// have any of them: it can be a file's path.

import type { Request } from "./flow.ts";

/** What names a request within its scope. */
export function nameOf(request: Request): string {
  switch (request.do) {
    case "ask":
      return request.question.id;
    case "read":
    case "write":
      return request.path;
    case "record":
      return request.fact.type;
    case "publish":
      return request.document;
    case "head":
    case "config":
    case "experience":
    case "queue":
      return "";
    default:
      return request.name;
  }
}

/** The key of a request without its occurrence, or the path of a child scope when there is no kind. */
export function stepIn(scope: string, name: string, kind?: Request["do"]): string {
  if (kind === undefined && !/^[\w.-]+$/.test(name)) throw new Error(`"${name}" cannot name a scope`);
  return `${scope === "" ? "" : `${scope}/`}${kind === undefined ? "" : `${kind}:`}${name}`;
}

export const nthRequest = (step: string, occurrence: number): string => `${step}#${occurrence}`;

/** Whether a key is of the first request of its kind and name in its scope. */
export const isFirst = (key: string): boolean => key.endsWith("#1");

/** The first scope of a name carries no number. */
export const nthScope = (step: string, occurrence: number): string =>
  occurrence === 1 ? step : `${step}#${occurrence}`;

/** The first epoch is not shown. */
export const atEpoch = (path: string, epoch: number): string => (epoch === 1 ? path : `${path}@${epoch}`);

export const epochOf = (path: string): number => Number(/@(\d+)$/.exec(path)?.[1] ?? 1);

export const withoutEpoch = (path: string): string => path.replace(/@\d+$/, "");

/** The path of the scope that a request's key or a child's path belongs to. */
export function parentOf(keyOrPath: string): string {
  const colon = keyOrPath.indexOf(":");
  const slash = colon < 0 ? keyOrPath.lastIndexOf("/") : keyOrPath.lastIndexOf("/", colon);
  return slash < 0 ? "" : keyOrPath.slice(0, slash);
}

/** True for all that belongs to a scope at this epoch: its requests, its children, and theirs. The root is the empty path. */
export const isInside = (keyOrPath: string, scope: string): boolean =>
  scope === "" || keyOrPath.startsWith(`${scope}/`);

/** A path's names, without the epochs and occurrences that only the journal needs. */
export function namesIn(path: string): readonly string[] {
  return path
    .split("/")
    .map((segment) => segment.replace(/(?:#\d+)?(?:@\d+)?$/, ""))
    .filter((name) => name !== "");
}

/** Whether a key is of a request of this kind and name, wherever it stands. */
export function isRequest(key: string, kind: Request["do"], name: string): boolean {
  const [, ownKind, ownName] = /^([\w-]+):(.*)#\d+$/s.exec(key.slice(parentOf(key).length).replace(/^\//, "")) ?? [];
  return ownKind === kind && ownName === name;
}

/** What an aside is about: a request by its key, a scope, or the run. */
export const aboutScope = (scope: string): string => `${scope}#0`;
export const aboutRun = "";

/** A mark tells two askings of the same question apart. */
export const asideQuestion = (about: string, id: string, mark: string | number): string => `${about}~ask:${id}#${mark}`;

export const asideFact = (type: string, mark: string | number): string => `~record:${type}#${mark}`;

export interface Aside {
  readonly about: string;
  /** The question's id, or the type of the fact. */
  readonly id: string;
  readonly mark: string;
}

export function readAside(key: string): Aside | undefined {
  const [, about = "", id = "", mark = ""] = /^(|.*#\d+)~(?:ask|record):([^#]*)#(.*)$/s.exec(key) ?? [];
  return id === "" ? undefined : { about, id, mark };
}

/** A key as part of a file's or a ref's name; slashes would make one the folder of another. */
export const flatKey = (key: string): string => key.replace(/[^\w.-]+/g, "_");
