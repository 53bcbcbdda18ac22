// Where the command line's words go: what was asked for to stdout, all that is told to people to stderr.

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
