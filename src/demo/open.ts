// Everything the demo needs, in one folder: the repository, a scripted model on loopback, and a configuration for pi
// that knows no other provider. Nothing of the person's own configuration is touched.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { offlineEnvironment, scriptedModel, scriptedProvider, writePiHome } from "./model/pi.ts";
import type { ModelPlay } from "./model/play.ts";
import { type LoggedRequest, serveModel } from "./model/server.ts";
import { makeRepository } from "./repository/make.ts";

export interface Demo {
  /** The working tree to run in. */
  readonly repository: string;
  /** Variables an agent of the demo has to be started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** The one model there is, as `provider/id`. */
  readonly model: string;
  /** What the model was asked so far. */
  readonly requests: readonly LoggedRequest[];
  /** Ends the model. The repository stays. */
  close(): Promise<void>;
}

/** In a folder that an earlier demo left: its repository is there, its model has ended. */
export const isDemo = (folder: string): boolean => existsSync(repositoryIn(folder));

const repositoryIn = (folder: string): string => join(folder, "repository");

/** `folder` is made if need be; it is empty, or has the repository of an earlier demo. */
export async function openDemo(folder: string, play: ModelPlay): Promise<Demo> {
  const repository = repositoryIn(folder);
  const home = join(folder, "pi");
  if (!isDemo(folder)) await makeRepository(repository);
  const server = await serveModel(play);
  await writePiHome(home, server.url, "anthropic");
  return {
    repository,
    environment: { ...offlineEnvironment, ...pastProxies(process.env), PI_CODING_AGENT_DIR: home },
    model: `${scriptedProvider}/${scriptedModel}`,
    requests: server.requests,
    close: () => server.close(),
  };
}

/** pi asks a configured proxy even for loopback, unless it is told not to. */
function pastProxies(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const exempt = [env["no_proxy"] ?? env["NO_PROXY"] ?? "", "127.0.0.1"].filter((hosts) => hosts !== "").join(",");
  return { no_proxy: exempt, NO_PROXY: exempt };
}
