import { agentsContract } from "../../contracts/agents.ts";
import { stagedPi, stagedScripts } from "../../rig/agents/backends.ts";

agentsContract("scripted", stagedScripts);
agentsContract("pi", stagedPi);
