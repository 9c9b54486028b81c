// Ctrl-C and SIGTERM, from the first moment to the last. One handler for the whole life of the process: `npm start`
// hands a Ctrl-C on that the terminal has sent to this process too, and the second must not cut the stop short.

const STOP_TIMEOUT_MS = 20_000;
const exitCodes = { SIGINT: 130, SIGTERM: 143 };

let act = () => undefined;
let isStopping = false;

async function stop(signal) {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  try {
    process.exit((await act(signal)) ?? exitCodes[signal]);
  } catch (error) {
    process.stderr.write(`Stopping failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/** From now on a signal calls this, in place of what was named before; it resolves to the exit code, if not 128 + n. */
export function onStopSignal(action) {
  act = action;
  for (const signal of Object.keys(exitCodes)) {
    if (!process.listeners(signal).includes(stop)) process.on(signal, stop);
  }
}

/** Has a signal come? Then whatever fails now fails because of it. */
export const stopsBySignal = () => isStopping;
