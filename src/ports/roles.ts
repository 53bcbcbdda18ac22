import type { DispatchRequest } from "../core/flow/flow.ts";
import type { AgentOrder } from "./agents.ts";

/** What a dispatch asks for beyond its role: a model by name, or by how hard the work is; a guard for test-first work. */
export type Wish = Pick<DispatchRequest, "difficulty" | "model" | "testFirst">;

/** Turns a role's name into all an agent needs but its prompt. */
export interface Roles {
  resolve(role: string, wish: Wish): Promise<Omit<AgentOrder, "id" | "prompt" | "folder">>;
}
