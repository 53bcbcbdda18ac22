// The tree of a scripted run: a map of texts, and what differs between two of them.

import type { ChangedFile } from "../../src/core/flow/repository.ts";

export type Files = Map<string, string>;

export const paths = (files: readonly ChangedFile[]): string[] => files.map((file) => file.path);

export function replace(files: Files, by: Files): void {
  const wanted = new Map(by);
  files.clear();
  for (const [path, text] of wanted) files.set(path, text);
}

export function diffOf(path: string, before: string | undefined, after: string | undefined): string {
  const signed = (sign: string, text: string | undefined) => (text?.split("\n") ?? []).map((line) => `${sign}${line}`);
  return [`diff --git a/${path} b/${path}`, ...signed("-", before), ...signed("+", after)].join("\n");
}

export function throughJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
