// An extension for pi that is the person's side of superteam and nothing else: what the test calls is shown by the real
// pi, to whoever drives it.

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { piPerson } from "../../../src/adapters/person/pi/person.ts";
import type { Level } from "../../../src/ports/person.ts";
import { serve } from "../person/serve.ts";

export default function person(pi: ExtensionAPI): void {
  pi.on("session_start", (_event, { ui, mode, isIdle }) => {
    const options = {
      ui,
      mode,
      isIdle,
      wording: (text: string) => text,
      columns: () => process.stdout.columns || 80,
      publish: (text: string) => ui.notify(text, "info"),
      tell: (text: string, level: Level) => ui.notify(text, level),
    };
    serve(
      process.env["SUPERTEAM_TEST_LINE"] ?? "",
      () => {
        const person = piPerson(options);
        return { ...person, listenKeys: ({ onEscape }) => person.listenEscape(onEscape) };
      },
      () => undefined,
    );
  });
}
