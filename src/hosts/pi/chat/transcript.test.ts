import assert from "node:assert/strict";
import { test } from "node:test";
import type { EntryRenderer } from "@earendil-works/pi-coding-agent";
import { chat, keepChat, type Said } from "../kept.ts";
import { drawEntry } from "./transcript.ts";

type Entry = Parameters<EntryRenderer<Said>>[0];
// Of pi's theme only colour and boldness are used.
const ofPi = { fg: (_colour: string, text: string) => text, bold: (text: string) => `<${text}>` };
const theme = ofPi as unknown as Parameters<EntryRenderer<Said>>[2];

/** What pi's session keeps of what is said, each entry after the one before. */
function session(name: string) {
  const entries: Entry[] = [];
  const appendEntry = (customType: string, data?: unknown): void => {
    const [id, parentId] = [`${name}-${entries.length}`, entries.at(-1)?.id ?? null];
    entries.push({ type: "custom", id, parentId, timestamp: "", customType, data: data as Said });
  };
  keepChat({ appendEntry });
  return { entries, own: chat() ?? assert.fail("there is a chat") };
}

/** What pi shows of each entry that shows something. */
function blocksOf(entries: readonly Entry[], expanded = false): readonly (readonly string[])[] {
  const components = entries.map((entry) => drawEntry(entry, { expanded }, theme));
  return components.flatMap((component) => (component === undefined ? [] : [component.render(60)]));
}

test("lines stand together until something else is shown; a text of several lines stands by itself", () => {
  const { entries, own } = session("together");
  for (const line of ["Implemented", "Spec review passed"]) own.say(line, true);
  own.interrupt();
  own.say("Fix attempt 1/3...", true);
  own.say("2 tasks found:\n  1. One\n  2. Two", true);
  own.say("Approved", true);
  assert.deepEqual(blocksOf(entries), [
    [" Implemented", " Spec review passed"],
    [" Fix attempt 1/3..."],
    [" 2 tasks found:", "   1. One", "   2. Two"],
    [" Approved"],
  ]);
});

test("headings and strong words are bold, without their marks", () => {
  const { entries, own } = session("marks");
  own.say("# Workflow Complete\n\n## Tasks\n- **R1** It is kept.", false);
  assert.deepEqual(blocksOf(entries), [[" <Workflow Complete>", " ", " <Tasks>", " - <R1> It is kept."]]);
});

test("what pi draws again is as it was", () => {
  const { entries, own } = session("again");
  for (const line of ["one", "two", "three"]) own.say(line, false);
  const first = blocksOf(entries);
  assert.deepEqual(blocksOf(entries), first);
  assert.deepEqual(first, [[" one", " two", " three"]]);
});

test("something between two lines parts them, whoever it is from", () => {
  const { entries, own } = session("parted");
  own.say("one", false);
  own.say("two", false);
  const [one, two] = entries;
  assert.ok(one && two);
  assert.deepEqual(blocksOf([one, { ...two, id: "parted-later", parentId: "a message" }]), [[" one"], [" two"]]);
});

test("of a report the beginning is shown with how to see the rest, and what was asked for is shown in full", () => {
  const { entries, own } = session("long");
  const report = Array.from({ length: 90 }, (_, index) => `line ${index + 1}`).join("\n");
  own.say(report, true);
  const lines = (expanded: boolean) => blocksOf(entries, expanded).map((block) => block.length);
  assert.match(blocksOf(entries)[0]?.at(-1) ?? "", /^ … \d+ more lines: ctrl\+o shows them$/);
  assert.deepEqual(lines(true), [90]);
  own.say(report, false);
  assert.equal(lines(false)[1], 90);
});
