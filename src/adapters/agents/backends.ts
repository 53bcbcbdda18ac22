// The list of backends. Apart from a backend's own folder, only this file knows it.

import type { Backends } from "../../ports/backend.ts";

export const backends: Backends = {
  pi: async () => (await import("./pi/backend.ts")).pi,
};
