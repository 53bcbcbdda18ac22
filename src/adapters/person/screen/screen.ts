// The lower end of what a person sees: lines that stay, and below them what is replaced all the time. A terminal has
// it drawn in place; a log gets plain lines.

export interface Screen {
  /** Adds lines that stay. They are laid out already. */
  print(lines: readonly string[]): void;
  /** One line that is replaced by the next; undefined clears it. */
  status(slot: string, text: string | undefined): void;
  /** A few lines that are replaced by the next; undefined clears them. Left out where nothing is drawn over. */
  widget?(id: string, lines: readonly string[] | undefined): void;
  /** Which keys work now, shown beside the status while there is one. */
  keys(hint: string | undefined): void;
  /** Leaves the screen to a dialog: what is printed meanwhile is held back until it ends. */
  stage(): Stage;
  /** Takes away what is not to stay. */
  close(): void;
}

export interface Stage {
  print(lines: readonly string[]): void;
  end(): void;
}
