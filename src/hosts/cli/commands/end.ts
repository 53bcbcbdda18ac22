// superteam stop, superteam abort: suspends the run of a tree, or ends it for good.

import * as ending from "../../../runs/end.ts";
import { workplaceAt } from "../../wiring/workplace-at.ts";
import { say } from "../say.ts";

export async function stop(folder: string): Promise<void> {
  say(await ending.stop(await workplaceAt(folder)));
}

export async function abort(folder: string): Promise<void> {
  for (const text of await ending.abort(await workplaceAt(folder))) say(text);
}
