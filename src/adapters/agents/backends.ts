// The list of backends. Nothing else outside of a backend's own folder knows it.

import type { Backends } from "../../ports/backend.ts";

export const backends: Backends = {
  pi: async () => (await import("./pi/backend.ts")).pi,
};
