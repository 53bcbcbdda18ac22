// Where things are in a plan's document: its header, what is under each task's heading, each task's part of the block.

import { isMap, isSeq, parseDocument } from "yaml";
import { byteOrderMark, type Proposal, proposedBlock } from "../text/block.ts";
import { topLevelOf } from "../text/markdown.ts";

/** How the block of tasks is tagged in a document. */
const planTags = ["superteam-tasks", "superteam-plan"] as const;

/** The block of tasks. The only block at the end is it, even if it is plain YAML. */
export function planBlock(document: string): Proposal {
  return proposedBlock(document, planTags, ["", "yaml", "yml"]);
}

export interface TaskSection {
  readonly id: number;
  /** From its heading to the next one, without white space at the ends. */
  readonly text: string;
}

export function taskSections(document: string): readonly TaskSection[] {
  const text = unified(document);
  return headedRegions(text).map(({ id, start, end }) => ({ id, text: tidy(text.slice(start, end)) }));
}

/** A heading of a task, with what stands below it. */
export interface HeadedTask {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

/**
 * In the order of the document. Where no heading says "Task", one that has the number and the title of a task in the block is
 * its heading.
 */
export function headedTasks(
  document: string,
  entries: readonly { readonly id: number; readonly title: string }[],
): readonly HeadedTask[] {
  const text = unified(document);
  const headed = headedRegions(text).map((region) => headedTask(region, text));
  if (headed.length > 0) return headed;
  const numbered = regionsOf(text, (heading) => numberedAs(heading, entries));
  return numbered.map((region) => headedTask(region, text));
}

function headedTask({ id, title, start, end }: Region, text: string): HeadedTask {
  const [heading = "", ...below] = text.slice(start, end).split("\n");
  const isUnderlined = !heading.trimStart().startsWith("#");
  return { id, title, text: tidy(below.slice(isUnderlined ? 1 : 0).join("\n")) };
}

/** `1. Its title` */
function numberedAs(
  heading: string,
  entries: readonly { readonly id: number; readonly title: string }[],
): number | null {
  const [, number, title = ""] = /^(?:T|Step\s+)?#?(\d+)[\s.:)–—-]+(.+)$/i.exec(heading.trim()) ?? [];
  const entry = entries.find(({ id }) => id === Number(number));
  return entry && entry.title.toLowerCase() === title.trim().toLowerCase() ? entry.id : null;
}

/** The text before the first task and before the block. */
export function headerOf(document: string): string {
  const isTask = ({ heading, block }: Part): boolean => block !== null || taskNumber(heading) !== null;
  const end = partsOf(document).find(isTask)?.start ?? document.length;
  return tidy(unified(document.slice(0, end)));
}

/** The tasks whose text, under their heading or in the block, contains a quote; none when it is elsewhere. */
export function tasksQuoted(document: string, quote: string): readonly number[] {
  const text = unified(document);
  const wanted = unified(quote).trim();
  if (wanted === "") return [];
  const regions = [...headedRegions(text), ...listedRegions(text)];
  const found = new Set<number>();
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    for (const { id, start, end } of regions) if (at < end && at + wanted.length > start) found.add(id);
  }
  return [...found].sort((one, other) => one - other);
}

interface Region {
  readonly id: number;
  /** What a heading says beside the number; empty in the block. */
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

function headedRegions(text: string): readonly Region[] {
  return regionsOf(text, taskNumber);
}

function regionsOf(text: string, numberOf: (heading: string) => number | null): readonly Region[] {
  const parts = partsOf(text);
  return parts.flatMap(({ heading, start, depth }, index) => {
    const id = numberOf(heading);
    if (id === null) return [];
    const next = parts.slice(index + 1).find((part) => numberOf(part.heading) !== null || part.depth <= depth);
    const title = heading.replace(/^\D*\d+[\s.:)–—-]*/, "").trim();
    return [{ id, title, start, end: next?.start ?? text.length }];
  });
}

/** The items of the last block of tasks. A block that is indented is not found: its lines are not the document's. */
function listedRegions(text: string): readonly Region[] {
  const part = partsOf(text).findLast(({ block }) => block !== null);
  const offset = part ? text.indexOf(part.block ?? "", part.start) : -1;
  if (!part || offset < 0) return [];
  const { contents } = parseDocument(part.block ?? "");
  const list = isMap(contents) ? contents.get("tasks") : contents;
  if (!isSeq(list)) return [];
  return list.items.flatMap((item): Region[] => {
    const id = isMap(item) ? item.get("id") : undefined;
    if (!isMap(item) || typeof id !== "number" || !item.range) return [];
    return [{ id, title: "", start: offset + item.range[0], end: offset + item.range[2] }];
  });
}

interface Part {
  readonly start: number;
  /** How deep a heading is. A part ends a task that is not above it. */
  readonly depth: number;
  /** What a reader sees of a heading; empty for a block. */
  readonly heading: string;
  /** The text of a block of tasks. */
  readonly block: string | null;
}

/** Headings, and blocks of tasks, which belong to no task. */
function partsOf(document: string): readonly Part[] {
  const children = topLevelOf(document);
  const parts = children.flatMap((node): Part[] => {
    if (node.position?.start.offset === undefined) return [];
    const start = node.position.start.offset + byteOrderMark(document);
    if (node.type === "code" && isPlanTag(node.lang)) return [blockPart(start, node.value)];
    if (node.type !== "heading") return [];
    return [{ start, depth: node.depth, heading: textOf(node), block: null }];
  });
  if (parts.some(({ block }) => block !== null)) return parts;
  // Without its tag, the block is at the end of the text.
  const other = planBlock(document);
  return other.ok ? [...parts, blockPart(other.block.from, other.block.text)] : parts;
}

const blockPart = (start: number, block: string): Part => ({ start, depth: 0, heading: "", block });

/** `Task 1.2` is a step of a task, not a task. */
function taskNumber(heading: string): number | null {
  const number = /^[^\p{L}\p{N}]*Task\s+#?(\d+)(?!\.?\d)\b/iu.exec(heading)?.[1];
  return number === undefined ? null : Number(number);
}

interface Inline {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Inline[];
}

/** What a reader sees of a heading, whatever it is made bold or linked with. */
function textOf({ type, value = "", children = [] }: Inline): string {
  return type === "html" ? "" : value + children.map(textOf).join("");
}

function isPlanTag(tag: string | null | undefined): boolean {
  return planTags.some((known) => known === tag?.toLowerCase());
}

const unified = (text: string): string => text.replace(/\r\n?/g, "\n");

/** White space at the ends of lines and texts says nothing. */
const tidy = (text: string): string => text.replace(/[ \t]+$/gm, "").trim();
