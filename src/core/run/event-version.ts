/** The version of the `--json` lines: raised when a field goes or changes its meaning. */
export const eventVersion = 1;
