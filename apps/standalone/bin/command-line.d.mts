/** What to print in place of starting (0 on standard output, 2 on standard error); undefined where there is nothing. */
export function answerTo(args: readonly string[]): { readonly code: 0 | 2; readonly text: string } | undefined;
/** Prints the answer, if there is one, and ends the process. */
export function answerAndExit(args: readonly string[]): void;
