// What an agent may do. Profiles and the configuration name these words; each backend maps them to its own tools.

export const capabilities = ["read", "search", "run", "write"] as const;
export type Capability = (typeof capabilities)[number];

const harmless: ReadonlySet<string> = new Set<Capability>(["read", "search"]);

/** Whether an agent can change the tree (R6). Whatever is not known to be harmless can, also a word nobody knows. */
export function couldWrite(agent: { readonly capabilities: readonly string[] }): boolean {
  return !agent.capabilities.every((capability) => harmless.has(capability));
}
