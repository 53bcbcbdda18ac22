// The only place there is so far: the working tree the run was started in.

import { startPlace } from "../../core/flow/flow.ts";
import type { Place, Places } from "../../ports/place.ts";

export function onlyTree(tree: Place): Places {
  return {
    async at(id) {
      if (id === startPlace) return tree;
      throw new Error(`this run works in a place of its own (${id}), and this version has none but the working tree`);
    },
    open: (name) => Promise.reject(new Error(`this version cannot open a place of its own for ${name}`)),
    close: () => Promise.resolve(),
  };
}
