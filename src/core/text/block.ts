// Fenced blocks of a markdown text, found in its syntax tree: a fence inside a list, a quote or another block is not
// one of them. What an agent says counts only inside such a block.

import type { RootContent } from "mdast";
import { topLevelOf } from "./markdown.ts";

/** Parsing is linear, but nobody needs an answer of this size. */
const sizeLimit = 1_000_000;

export interface Block {
  readonly text: string;
  /** How many blocks with a wanted tag there were; the last one is used. */
  readonly count: number;
  /** The line right after the block; empty at the end of the text. A block cut short by a fence inside it continues there. */
  readonly next: string;
  /** Where it begins in the text. */
  readonly from: number;
}

export type BlockReading =
  | { readonly ok: true; readonly block: Block }
  | { readonly ok: false; readonly problem: string };

/** The last top-level block with one of the tags. It may lack its closing fence if the text ends with it. */
export function lastBlock(markdown: string, tags: readonly string[]): BlockReading {
  if (markdown.length > sizeLimit) {
    return problem(`the text has ${markdown.length} characters; at most ${sizeLimit} are read. Keep it short.`);
  }
  const fences = fencesOf(markdown);
  const open = fences.find((fence) => !fence.closed && !tags.includes(fence.tag));
  if (open) return problem(`the fence opened on line ${open.line} is never closed.`);
  const found = fences.filter((fence) => tags.includes(fence.tag));
  const last = found.at(-1);
  if (last) return { ok: true, block: { text: last.text, count: found.length, next: last.next, from: last.from } };
  return problem(`there is no ${tags.map((tag) => `\`\`\`${tag}`).join(" or ")} block at the top level of the text.`);
}

export type Proposal =
  | { readonly ok: true; readonly block: Block; readonly isTagged: boolean }
  | { readonly ok: false; readonly problem: string };

/**
 * The block of an answer that only proposes something. The last one with a tag counts. Without one, the text may end with a block
 * that has it behind another, stands in a list or is indented, or with the only block under one of the `otherTags`. A quotation never
 * counts.
 */
export function proposedBlock(markdown: string, tags: readonly string[], otherTags: readonly string[]): Proposal {
  const last = lastBlock(markdown, tags);
  if (last.ok) {
    const cut = unclearQuotation(markdown, tags);
    return cut === undefined ? { ...last, isTagged: true } : problem(quotationProblem(cut));
  }
  if (markdown.length > sizeLimit) return last;
  const isTagged = ({ tag, second }: Fence): boolean => tags.includes(tag) || tags.includes(second);
  const all = [...fencesOf(markdown), ...fencesInLists(markdown), ...fencesByIndentation(markdown)];
  const nested = all.filter(isTagged);
  const others = fencesOf(markdown).filter(({ tag }) => otherTags.includes(tag));
  const [only, ...more] = nested.length > 0 ? nested : others;
  const isAtEnd = only !== undefined && markdown.slice(only.to).trim() === "";
  if (!isAtEnd || more.length > 0 || fencesOf(markdown).some(opensAnother)) return last;
  return { ok: true, block: { text: only.text, count: 1, next: "", from: only.from }, isTagged: nested.length > 0 };
}

/** A fence that another one cut short, where what was quoted could be mistaken for the answer. */
function unclearQuotation(markdown: string, tags: readonly string[]): Fence | undefined {
  const fences = fencesOf(markdown);
  const found = fences.filter(({ tag }) => tags.includes(tag));
  const isPlain = found.length === 1 && markdown.slice(found[0]?.to).trim() === "";
  const cut = fences.filter((fence) => !tags.includes(fence.tag) && opensAnother(fence));
  return isPlain ? cut.find(({ text }) => tags.some((tag) => text.includes(tag))) : cut[0];
}

export type BlocksReading =
  | { readonly ok: true; readonly texts: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/**
 * Every block with the tag, for an answer that decides something: all of them have to say the same. A block in a list item is one
 * of them, one in a quotation is not. A quotation that another fence cut short makes the whole text unclear: what was quoted could
 * count, and what was meant could be inside of it.
 */
export function everyBlock(markdown: string, tag: string): BlocksReading {
  const last = lastBlock(markdown, [tag]);
  if (!last.ok) return last;
  const fences = fencesOf(markdown);
  const cut = fences.find(opensAnother);
  if (cut) {
    return problem(quotationProblem(cut));
  }
  const texts = [...fences, ...fencesInLists(markdown)].filter((fence) => fence.tag === tag).map(({ text }) => text);
  return { ok: true, texts };
}

function quotationProblem({ line }: Fence): string {
  return `the fence opened on line ${line} contains a line that opens another fence of that length, so that it is unclear where the quotation ends. Quote in a longer fence, or not at all.`;
}

/** Inside a fence such a line is text; whoever wrote it meant a fence. */
function opensAnother({ text, opening }: Fence): boolean {
  return text.split(/\r\n|\r|\n/).some((line) => {
    const [, fence = ""] = /^ {0,3}(`{3,}|~{3,})[ \t]*[^\s`~][^`]*$/.exec(line) ?? [];
    return fence[0] === opening[0] && fence.length >= opening.length;
  });
}

/** The text around the blocks with this tag. */
export function withoutBlocks(markdown: string, tag: string): string {
  if (markdown.length > sizeLimit) return markdown.trim();
  const found = fencesOf(markdown).filter((fence) => fence.tag === tag);
  return found.reduceRight((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), markdown).trim();
}

/** A fence around any text: longer than every run of backticks in it. */
export function fenced(tag: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${tag}\n${text}\n${fence}`;
}

/** Headings inside of a fence are text. */
export function fencedIfHeaded(text: string): string {
  return /^ {0,3}(?:#|=+ *$|-+ *$)/m.test(text) ? fenced("", text) : text;
}

/** Its length at the start of a text: the parser does not count it in its offsets. */
export const byteOrderMark = (text: string): number => (text.startsWith("\ufeff") ? 1 : 0);

interface Fence {
  readonly tag: string;
  /** The word behind the tag. */
  readonly second: string;
  /** Its first backticks or tildes. */
  readonly opening: string;
  readonly text: string;
  readonly line: number;
  readonly closed: boolean;
  readonly next: string;
  /** Where it begins and ends in the text. */
  readonly from: number;
  readonly to: number;
}

function fencesOf(markdown: string): readonly Fence[] {
  return fencesAmong(topLevelOf(markdown), markdown);
}

/** At any depth, as long as there is no quotation around it. */
function fencesInLists(markdown: string): readonly Fence[] {
  const inside = (nodes: readonly RootContent[]): readonly RootContent[] =>
    nodes.flatMap((node) =>
      node.type === "list" || node.type === "listItem" ? [...node.children, ...inside(node.children)] : [],
    );
  return fencesAmong(inside(topLevelOf(markdown)), markdown);
}

/** A fence in code by indentation: its lines begin with four spaces each. What a longer fence holds is quoted. */
function fencesByIndentation(markdown: string): readonly Fence[] {
  return topLevelOf(markdown).flatMap((node) => {
    if (node.type !== "code" || fencesAmong([node], markdown).length > 0) return [];
    const mark = byteOrderMark(markdown);
    const [from, to] = [(node.position?.start.offset ?? 0) + mark, (node.position?.end.offset ?? 0) + mark];
    return fencesOf(node.value).map((fence) => ({ ...fence, from, to }));
  });
}

function fencesAmong(nodes: readonly RootContent[], markdown: string): readonly Fence[] {
  return nodes.flatMap((node) => {
    if (node.type !== "code" || node.position === undefined) return [];
    const { start, end } = node.position;
    const mark = byteOrderMark(markdown);
    const [from, to] = [(start.offset ?? 0) + mark, (end.offset ?? 0) + mark];
    const source = markdown.slice(from, to).split(/\r\n|\r|\n/);
    const opening = /^(`{3,}|~{3,})/.exec(source[0] ?? "")?.[1];
    // Code by indentation has neither fence nor tag.
    if (opening === undefined) return [];
    const next = markdown.slice(to).split(/\r\n|\r|\n/, 2)[1] ?? "";
    const closed = source.length > 1 && closes(source.at(-1) ?? "", opening);
    // A closing fence that is too short, or at the end of the last line, is part of the text.
    const text = closed ? node.value : node.value.replace(/(?:\n(?:`+|~+)|`{3,}|~{3,})\s*$/, "");
    const [second = ""] = (node.meta ?? "").toLowerCase().split(/\s/);
    return [{ tag: (node.lang ?? "").toLowerCase(), second, opening, text, line: start.line, closed, next, from, to }];
  });
}

function closes(line: string, opening: string): boolean {
  const fence = line.trim();
  return fence.length >= opening.length && fence === (opening[0] ?? "").repeat(fence.length);
}

function problem(text: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem: text };
}
