import { CommandError, exitCodes, type Terminal } from './terminal.js';

const NOTHING = 'Nothing was changed.';
const SENT = 'The request was sent, and may have been done: look before you give the same command again.';

/** Hints of what Ctrl-C leaves behind, by the terminal whose command would leave it. */
const remains = new WeakMap<Terminal, readonly string[]>();

/** A command says so before it begins what cannot be taken back. */
export function leavesBehind(terminal: Terminal, ...hints: readonly string[]): void {
  remains.set(terminal, hints);
}

/** The hints of a command about what its end would leave, by whatever it ends. */
export const leftBehind = (terminal: Terminal): readonly string[] => remains.get(terminal) ?? [];

/** The result of the work; its error tells what the command leaves, as that of whoever pressed Ctrl-C does. */
export async function tellingRemains<T>(terminal: Terminal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const { exitCode, message, hints, answer } = error;
    throw new CommandError(exitCode, message, [...hints, ...leftBehind(terminal)], answer);
  }
}

/** The same for a request that changes something, where the command has said nothing of its own. */
export function sends(terminal: Terminal): void {
  if (!remains.has(terminal)) leavesBehind(terminal, SENT);
}

/** The result of the work, or the error of whoever pressed Ctrl-C meanwhile. What is still under way ends with the process. */
export async function unlessInterrupted<T>(terminal: Terminal, work: Promise<T>): Promise<T> {
  const { interrupted } = terminal;
  if (interrupted === undefined) return work;
  return Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      interrupted.addEventListener(
        'abort',
        () => reject(new CommandError(exitCodes.interrupted, 'interrupted', remains.get(terminal) ?? [NOTHING])),
        { once: true },
      );
    }),
  ]);
}
