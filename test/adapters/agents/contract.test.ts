import { agentsContract } from "../../contracts/agents.ts";
import { piBackend, scriptedBackend } from "../../rig/agents/backends.ts";

agentsContract("scripted", scriptedBackend);
agentsContract("pi", piBackend);
