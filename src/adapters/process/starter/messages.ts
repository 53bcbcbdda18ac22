// What superteam and its starter tell each other.

export interface StartOrder {
  readonly id: number;
  /** Where superteam listens. */
  readonly socket: string;
  /** What a connection for stdin, stdout and stderr says first, on a line: nobody else knows it. */
  readonly names: readonly string[];
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export type StartReport =
  | { readonly type: "ready" }
  | { readonly type: "started"; readonly id: number; readonly pid: number; readonly birth: string }
  | { readonly type: "failed"; readonly id: number; readonly detail: string }
  /** The sockets cannot be had. */
  | { readonly type: "unable"; readonly id: number }
  | {
      readonly type: "ended";
      readonly id: number;
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
    };
