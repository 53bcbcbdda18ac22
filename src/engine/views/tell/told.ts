// One thing that is told on the screen and stays there.

export interface Told {
  readonly text: string;
  readonly level: "info" | "warning";
}

export const info = (text: string): Told => ({ text, level: "info" });
export const warning = (text: string): Told => ({ text, level: "warning" });
