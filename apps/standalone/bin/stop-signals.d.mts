/** From now on SIGINT and SIGTERM call this, in place of what was named before; it resolves to the exit code, if not 128 + n. */
export function onStopSignal(
  action: (signal: 'SIGINT' | 'SIGTERM') => number | undefined | Promise<number | undefined>,
): void;
/** Has a signal come? Then whatever fails now fails because of it. */
export function stopsBySignal(): boolean;
