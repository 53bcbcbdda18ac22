// One thing that is told on the screen and stays there.

export interface Notice {
  readonly text: string;
  readonly level: "info" | "warning";
}

export const info = (text: string): Notice => ({ text, level: "info" });
export const warning = (text: string): Notice => ({ text, level: "warning" });
