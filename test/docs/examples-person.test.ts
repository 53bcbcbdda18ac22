// The person of the third example keeps the contract that the terminal and the headless person keep.

import { PassThrough } from "node:stream";
import { linePerson } from "../../examples/03-a-person-of-your-own.ts";
import { type Gesture, personContract } from "../contracts/person.ts";

personContract(
  "the person of the example",
  async (_t, _id, gesture) => {
    const [input, out] = [new PassThrough(), new PassThrough()];
    const shown = new Promise<void>((resolve) => out.once("data", () => resolve()));
    out.resume();
    if (gesture.do !== "nothing") input.end(typed(gesture));
    // It is given no other stream than these two.
    return { person: linePerson({ input, out }), shown: () => shown, stdout: () => Promise.resolve("") };
  },
  false,
);

/** What this person types; after it, the input ends. */
function typed(gesture: Gesture): string {
  switch (gesture.do) {
    case "choose":
      return `${gesture.key}\n`;
    case "say":
      return `${gesture.text}\n`;
    case "write":
      return `${gesture.text}\n.\n`;
    case "accept":
      return "\n";
    case "mistake":
      return "no such answer\n";
    default:
      return "";
  }
}
