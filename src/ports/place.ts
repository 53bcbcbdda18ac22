import type { PlaceId } from "../core/flow/flow.ts";
import type { Anchor } from "../core/flow/repository.ts";
import type { Checks } from "./checks.ts";
import type { Documents } from "./documents.ts";
import type { Repo } from "./repo.ts";

/** A folder in which agents work, with its repository, its checks and its texts. */
export interface Place {
  readonly root: string;
  readonly repo: Repo;
  readonly checks: Checks;
  readonly documents: Documents;
}

/**
 * The places of a run. The tree it was started in is always one (`startPlace`); others are opened and closed by requests. An
 * id stays good across restarts: what an earlier process opened is there for the next one.
 */
export interface Places {
  at(id: PlaceId): Promise<Place>;
  /** Opens a place whose tree is the anchor's. A second time with the same name it is the same place. The signal ends what prepares it. */
  open(name: string, from: Anchor, signal: AbortSignal): Promise<PlaceId>;
  /** Removes a place and all that is in it. One that is gone already is fine. */
  close(id: PlaceId): Promise<void>;
}
