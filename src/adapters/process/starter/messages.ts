// What superteam and its starter tell each other.

/** The connections for one process. */
interface Ends {
  /** Where superteam listens. */
  readonly socket: string;
  /** What a connection for stdin, stdout and stderr says first, on a line: nobody else knows it. */
  readonly names: readonly string[];
}

export interface StartOrder extends Ends {
  readonly type: "start";
  readonly id: number;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Makes the connections of the next process, which then starts that much earlier. */
export interface ConnectOrder extends Ends {
  readonly type: "connect";
}

export type StarterOrder = StartOrder | ConnectOrder;

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
