import { repoContract } from "../../contracts/repo.ts";
import { makeGitRepo } from "./hands.ts";

repoContract("git", makeGitRepo);
