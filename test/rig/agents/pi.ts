// The pi adapter with a scripted model, in folders that are gone afterwards.

import type { ModelPlay } from "../../../src/demo/model/play.ts";
import { type PiSettings, type PiWithModel, piWith } from "./backends.ts";
import { type Rig, withRig } from "./rig.ts";

export type PiRig = Rig & PiWithModel;

export async function withPi(play: ModelPlay, options: PiSettings, use: (rig: PiRig) => Promise<void>): Promise<void> {
  let pi: PiWithModel | undefined;
  const make = async (_script: unknown, folder: string) => {
    pi = await piWith(play, folder, options);
    const { backend, env, agents, server, home, close } = pi;
    const received = async (): Promise<string> => server.requests.at(-1)?.prompt ?? "";
    return { backend, env, agents, received, host: { backend: "pi", home } as const, close };
  };
  await withRig(make, { text: "" }, async (rig) => {
    if (pi !== undefined) await use({ ...rig, ...pi });
  });
}
