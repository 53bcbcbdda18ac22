// The host of a run that a model's call goes on with: progress is shown to the person as ever, what is told goes into the
// call's text, and nobody is asked. Each question stays on disk for whoever may answer it.

import type { Person } from "../../../ports/person.ts";
import type { Narrative } from "../../../runs/by-model/narrative.ts";
import { type Host, nothingStarted, stopWhen } from "../../../runs/host.ts";
import { personAt, piHost, type Session } from "../host.ts";
import type { Stay } from "../kept.ts";

export function toolHost(session: Session, stay: Stay, narrative: Narrative): Host {
  const host = piHost(session, stay);
  return {
    ...host,
    audience: async (gathering) => {
      stay.leaving = false;
      const release = stopWhen(stay.away, gathering);
      const close = (): void => {
        stay.leaving = true;
        release();
      };
      return { person: askingNobody(session, narrative), problems: () => [], close };
    },
    // Whether an active run is given up is the person's to say.
    instead: (active) => Promise.reject(nothingStarted(active)),
    tell: (text) => narrative.add(text),
    watch: (sight) => {
      host.watch?.(sight);
      narrative.see(sight);
    },
  };
}

function askingNobody(session: Session, narrative: Narrative): Person {
  const { status, widget } = personAt(session);
  return { ask: () => Promise.resolve(undefined), notify: (text) => narrative.add(text), status, widget };
}
