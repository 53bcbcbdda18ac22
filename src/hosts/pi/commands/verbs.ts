// The words that mean something to /workflow, each by itself: none of them is something to build.

export const workflowVerbs = ["status", "answer", "log", "costs", "runs", "report", "stop", "abort", "help"] as const;
