import { agentsContract } from "../../contracts/agents.ts";
import { stagedPi, stagedQuickPi, stagedScripts } from "../../rig/agents/backends.ts";
import { turnOf } from "../../rig/turns.ts";

agentsContract("scripted", stagedScripts);
// The same adapter for both. A start of the real pi takes ten times as long.
agentsContract("pi", stagedPi, turnOf(0, 2));
agentsContract("the quick pi", stagedQuickPi, turnOf(1, 2));
