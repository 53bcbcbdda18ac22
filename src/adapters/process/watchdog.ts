// An agent does not outlive its run (E8). One tiny shell per superteam process reads from a pipe what is running; when the
// pipe closes (superteam ended, by whatever means) it ends what is still registered: TERM, KILL two seconds later, group
// and tagged processes alike. Then it notes the time in each entry's `gone` file.
//
// The shell has a session of its own, ignores the signals of a terminal, holds neither terminal nor folder, and does
// not keep superteam's event loop alive.

import { type ChildProcess, spawn } from "node:child_process";
import { tagVariable } from "./tree.ts";

interface Watched {
  readonly tag: string;
  /** 0 before the process is started: then only its tag is known. */
  readonly pid: number;
  /** The file to write when everything of this entry is gone; empty for none. */
  readonly gone: string;
}

const shell = "/bin/sh";
const laterMs = 100;

/** Starts no process before the first entry. */
function createWatchdog() {
  const entries = new Map<string, Watched>();
  let dog: ChildProcess | undefined;
  let trouble: string | undefined;

  /** What need not be told at once is told with what does: each line wakes the shell, while superteam has something better to do. */
  let later: string[] = [];
  let soon: NodeJS.Timeout | undefined;

  const tell = (...lines: readonly string[]): void => {
    const all = [...later, ...lines].map((line) => `${line}\n`).join("");
    clearTimeout(soon);
    later = [];
    soon = undefined;
    if (all === "") return;
    dog ??= rouse();
    dog.stdin?.write(all);
  };
  const tellLater = (line: string): void => {
    later.push(line);
    soon ??= setTimeout(tell, laterMs).unref();
  };
  const rouse = (): ChildProcess => {
    const started = start();
    const lost = (why: string): void => {
      if (dog !== started) return;
      dog = undefined;
      trouble = why;
    };
    started.on("error", (error) => lost(`${shell} could not be started: ${error.message}`));
    started.on("exit", () => {
      if (dog !== started) return;
      lost("the watchdog was ended");
      later = [];
      if (entries.size > 0) tell(...[...entries.values()].map(lineOf));
    });
    started.on("spawn", () => {
      trouble = undefined;
    });
    // A message that could not be sent is sent again when its exit is seen.
    started.stdin?.on("error", () => started.stdin?.destroy());
    return started;
  };

  return {
    /** Registers an entry, or replaces the one with the same tag. */
    add(entry: Watched): void {
      entries.set(entry.tag, entry);
      tell(lineOf(entry));
    },
    remove(tag: string): void {
      // Until then it would look for processes that are not there.
      if (entries.delete(tag)) tellLater(`- ${tag}`);
    },
    /** Lets the shell go while there is nothing to watch; the next entry starts another. */
    rest(): void {
      if (entries.size > 0 || dog === undefined) return;
      tell();
      dog.stdin?.end();
      dog = undefined;
    },
    /** Why agents would outlive a killed superteam, when the shell could not be started. */
    get trouble(): string | undefined {
      return trouble;
    },
  };
}

/** The one watchdog of this process. */
export const watchdog = createWatchdog();

function start(): ChildProcess {
  const child = spawn(shell, ["-c", script, "superteam-watchdog"], {
    detached: true,
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.unref();
  // The type of a piped stdin does not say so, but it is a socket, and a socket can be left out of the event loop.
  const stdin = child.stdin as { unref?: () => void } | null;
  stdin?.unref?.();
  return child;
}

/** A path with a line break cannot be told in one line; such an entry is watched without its file. */
function lineOf(entry: Watched): string {
  return `+ ${entry.tag} ${entry.pid} ${entry.gone.includes("\n") ? "" : entry.gone}`;
}

const script = `
trap '' HUP INT TERM
set -f
newline='
'
IFS=$newline
list=
drop() {
  kept=
  for entry in $list; do
    case $entry in "$1 "*) ;; *) kept=$kept$entry$newline ;; esac
  done
  list=$kept
}
while read -r line; do
  case $line in
    "+ "*) line=\${line#+ }; drop "\${line%% *}"; list=$list$line$newline ;;
    "- "*) drop "\${line#- }" ;;
  esac
done

tagged() {
  [ -r /proc/self/environ ] || return 0
  set +f
  grep -ls "${tagVariable}=[0-9a-f:-]*$1" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3
  set -f
}
# Where there is no /proc: the group and the descendants as ps knows them, and those it knew at first, whose parents
# may be gone by now.
seen=
related() {
  [ -r /proc/self/environ ] && return 0
  for member in $seen; do kill -0 "$member" 2>/dev/null && echo "$member"; done
  ps -A -o pid= -o ppid= -o pgid= 2>/dev/null | awk -v root="$1" '
    { pid[NR] = $1; parent[NR] = $2; if ($1 == root || $3 == root) found[$1] = 1 }
    END {
      do { more = 0; for (i in pid) if (!(pid[i] in found) && (parent[i] in found)) { found[pid[i]] = 1; more = 1 } } while (more)
      for (p in found) print p
    }'
}
split() { tag=\${1%% *}; rest=\${1#* }; pid=\${rest%% *}; gone=\${rest#* }; }
family() {
  split "$1"
  tagged "$tag"
  [ "$pid" -gt 1 ] && related "$pid"
}
# A group is signalled as one only while its leader is known to be ours: a number can be given away again.
strike() {
  split "$2"
  members=$(family "$2")
  [ "$1" = TERM ] && [ ! -r /proc/self/environ ] && seen=$seen$members$newline
  for member in $members; do
    [ "$member" = "$pid" ] && kill "-$1" -- "-$pid" 2>/dev/null
    kill "-$1" "$member" 2>/dev/null
  done
  [ -n "$members" ]
}
for entry in $list; do strike TERM "$entry"; done
tries=0
left=$list
while [ -n "$left" ] && [ $tries -lt 600 ]; do
  still=
  for entry in $left; do
    if [ $tries -lt 20 ]; then signal=0; else signal=KILL; fi
    # One that loads another program has no tag for that moment.
    if strike $signal "$entry" || strike $signal "$entry" || strike $signal "$entry"; then
      still=$still$entry$newline
      continue
    fi
    split "$entry"
    # While a group lives its number is given to no other: without a leader, what is left of it is ours too.
    [ "$pid" -gt 1 ] && ! kill -0 "$pid" 2>/dev/null && kill -KILL -- "-$pid" 2>/dev/null
    [ -n "$gone" ] && date +%s > "$gone" 2>/dev/null
  done
  left=$still
  tries=$((tries + 1))
  [ -n "$left" ] && { sleep 0.1 2>/dev/null || sleep 1; }
done
`;
