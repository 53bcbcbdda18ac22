// A text as markdown. The same answer or plan is read for its blocks, headings and sections, and again when a run is replayed.

import type { RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";

/** The latest texts, oldest first. Few and short enough that they do not count beside the run's own memory. */
const latest = new Map<string, readonly RootContent[]>();
const keptTexts = 32;
const longestKept = 32_768;

/** What stands at the top level of the text, with where it is. */
export function topLevelOf(markdown: string): readonly RootContent[] {
  const known = latest.get(markdown);
  const nodes = known ?? fromMarkdown(markdown).children;
  if (markdown.length > longestKept) return nodes;
  latest.delete(markdown);
  latest.set(markdown, nodes);
  for (const oldest of latest.keys()) {
    if (latest.size <= keptTexts) break;
    latest.delete(oldest);
  }
  return nodes;
}
