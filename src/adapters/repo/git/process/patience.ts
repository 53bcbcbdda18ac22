// How long a git command may take, and what the screen says meanwhile: no wait is silent, and none is endless (E11).

const minute = 60_000;
/** When the first sign of life is given, and at what pace the next ones. */
const usualSigns = { firstMs: 10_000, nextMs: minute };

/** A hook may run a whole test suite; git alone may have a very large repository to look at. */
export function limitOf(withHooks: boolean): number {
  const chosen = Number(process.env["SUPERTEAM_GIT_MINUTES"]);
  if (chosen > 0) return chosen * minute;
  return (withHooks ? 60 : 10) * minute;
}

type Hear = (text: string) => void;
const hearers = new Set<Hear>();

/** Calls back while a git command takes long. Returns how to stop listening. */
export function onSlowGit(hear: Hear): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

/** Waits for a git command. Past its limit the signal it is given is aborted: it has to end then. */
export async function withLimit<T>(
  verb: string,
  limitMs: number,
  act: (late: AbortSignal) => Promise<T>,
  signs = usualSigns,
): Promise<T> {
  const late = new AbortController();
  const started = performance.now();
  const say = (): void => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    for (const hear of hearers)
      hear(`git ${verb} has been running for ${seconds} s, with its hooks. After ${inMinutes(limitMs)} it is stopped.`);
    sign = setTimeout(say, signs.nextMs);
  };
  let sign = setTimeout(say, signs.firstMs);
  const limit = setTimeout(() => late.abort(), limitMs);
  try {
    return await act(late.signal);
  } finally {
    clearTimeout(sign);
    clearTimeout(limit);
  }
}

/** What is said of a command that was ended. */
export function lateText(limitMs: number): string {
  const advice =
    "See what it or its hook waits for, then try again; SUPERTEAM_GIT_MINUTES=<minutes> gives it more time.";
  return `It did not end within ${inMinutes(limitMs)} and was ended, with the hooks it ran. ${advice}`;
}

/** The exit code that `timeout` gives, too. */
export const lateCode = 124;

function inMinutes(ms: number): string {
  return ms < minute ? `${Math.round(ms / 100) / 10} seconds` : `${Math.round(ms / minute)} minutes`;
}
