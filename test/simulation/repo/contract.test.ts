import { repoContract } from "../../contracts/repo.ts";
import { modelRig } from "./rig.ts";

// The suite asks about moments before and after now.
repoContract("model", async (_, files, documents = []) => modelRig({ files, documents, clock: Date.now }));
