/** Key ranges at the same time on the embedded bus: while one waits for its commit, the other works. */
export const LANES = 2;
