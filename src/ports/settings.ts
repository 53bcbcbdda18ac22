import type { Config } from "../core/run/config.ts";

export interface Settings {
  read(): Promise<Config>;
}
