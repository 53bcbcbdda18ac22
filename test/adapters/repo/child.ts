// One verb of the repository in a process of its own, to be killed in the middle of it.
//   node repo-child.ts <root> restore <anchor as JSON>
//   node repo-child.ts <root> commit <anchor as JSON>

import { z } from "zod";
import { order } from "../../contracts/repo/order.ts";
import { rigIn } from "./rig.ts";

const Anchor = z.object({
  sha: z.string(),
  branch: z.string().nullable(),
  tree: z.string(),
  ref: z.string(),
  leftAlone: z.array(z.string()),
});

const [root = "", verb = "", json = ""] = process.argv.slice(2);
const repo = await rigIn(root).open();
const anchor = Anchor.parse(JSON.parse(json));
if (verb === "restore") await repo.restore(anchor, "undo");
else await repo.commit(order(anchor));
