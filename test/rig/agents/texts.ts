// Answers that streams are known to break on.

export const lineSeparators = "one\u2028two\u2029three\u0085four";
export const manyBytes = "Grüße, 日本語, 👩‍👩‍👧‍👦, \u{1F600} and \u00A0 done. ".repeat(20).trimEnd();
export const eightMegabytes = "0123456789abcdef".repeat((8 * 1024 * 1024) / 16);
