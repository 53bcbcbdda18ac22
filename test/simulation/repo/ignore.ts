// Which files git ignores, by the .gitignore files on disk.
//
// Modelled: a name (`mine`), a name with `*` or `?`, a folder (`sub/`), a path from the rule's own folder (`/sub`, `a/b`), a rule
// that takes another back (`!mine`), comments; a rule further down counts more than one above, and inside an ignored folder no
// rule counts. Not modelled: `**`, `[a-z]`, backslashes, and the rules of one clone alone (`info/exclude`) or one person.

import type { Content } from "./content.ts";
import type { Disk } from "./disk.ts";

/** By the rules as they are on this disk. */
export function isIgnored(disk: Disk, path: string): boolean {
  const known = matchers.get(disk) ?? matcherOf(disk);
  matchers.set(disk, known);
  return known(path);
}

/** A disk never changes, so that its rules are read once. */
const matchers = new WeakMap<Disk, (path: string) => boolean>();

interface Rule {
  readonly isMatch: (name: string, fromFolder: string) => boolean;
  readonly isForFolders: boolean;
  readonly isTakenBack: boolean;
}

function matcherOf({ files }: Disk): (path: string) => boolean {
  const rules = new Map<string, readonly Rule[]>();
  for (const [path, { content }] of files) {
    if (path === ruleFile || path.endsWith(`/${ruleFile}`))
      rules.set(path.slice(0, -ruleFile.length), rulesIn(content));
  }
  if (rules.size === 0) return () => false;

  const folders = new Map<string, boolean>([["", false]]);
  const isIgnoredFolder = (folder: string): boolean => {
    const answer = folders.get(folder) ?? (isIgnoredFolder(folderOf(folder)) || judge(rules, folder, true));
    folders.set(folder, answer);
    return answer;
  };
  return (path) => isIgnoredFolder(folderOf(path)) || judge(rules, path, false);
}

const ruleFile = ".gitignore";
const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0));

/** The last rule that matches counts, and those of the nearest folder before all others. */
function judge(rules: ReadonlyMap<string, readonly Rule[]>, path: string, isFolder: boolean): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  for (let end = path.lastIndexOf("/") + 1; ; end = path.lastIndexOf("/", end - 2) + 1) {
    const found = rules
      .get(path.slice(0, end))
      ?.findLast((rule) => (isFolder || !rule.isForFolders) && rule.isMatch(name, path.slice(end)));
    if (found !== undefined) return !found.isTakenBack;
    if (end === 0) return false;
  }
}

const parsed = new WeakMap<Content, readonly Rule[]>();

function rulesIn(content: Content): readonly Rule[] {
  const known = parsed.get(content) ?? content.text.split(/\r?\n/).flatMap(ruleOf);
  parsed.set(content, known);
  return known;
}

function ruleOf(line: string): readonly Rule[] {
  const said = line.startsWith("#") ? "" : line.replace(/ +$/, "");
  const isTakenBack = said.startsWith("!");
  const pattern = isTakenBack ? said.slice(1) : said;
  const isForFolders = pattern.endsWith("/");
  const place = isForFolders ? pattern.slice(0, -1) : pattern;
  if (place === "") return [];
  const isOnePath = place.includes("/");
  const shape = shapeOf(place.replace(/^\//, ""));
  const isMatch = (name: string, fromFolder: string): boolean => shape.test(isOnePath ? fromFolder : name);
  return [{ isMatch, isForFolders, isTakenBack }];
}

function shapeOf(pattern: string): RegExp {
  const plain = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${plain.replaceAll("*", "[^/]*").replaceAll("?", "[^/]")}$`);
}
