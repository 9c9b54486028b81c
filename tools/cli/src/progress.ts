import type { MultiBar, SingleBar } from 'cli-progress';
import type { GlobalOptions } from './gateway/gateway.js';
import type { Terminal } from './terminal.js';

/** Milliseconds between two lines, where no screen shows a bar. */
const LINE_INTERVAL_MS = 10_000;
const MEGABYTE = 1_000_000;

export interface Work {
  /** The name of whatever is counted, e.g. `entries`; `bytes` are shown in megabytes. */
  readonly unit: string;
  /** How many there will be; absent where nobody knows. */
  readonly total?: number | undefined;
}

/** How far a command is: a bar on a screen, elsewhere a line now and then, and nothing where programs read (`--json`). */
export interface Progress {
  /** `note`: more about the place that was reached. */
  report(done: number, note?: string): void;
  /** Writes a line of the result beside it. */
  line(text: string): void;
  end(): void;
}

export async function startProgress(
  terminal: Terminal,
  { json }: GlobalOptions,
  work: Work,
  now: () => number = () => performance.now(),
): Promise<Progress> {
  if (json === true) return { report: () => undefined, line: terminal.out, end: () => undefined };
  if (terminal.screen === undefined) return inLines(terminal, work, now);
  // Loaded where there is a screen: no other command pays for it.
  const { default: bars } = await import('cli-progress');
  return asBar(terminal, work, new bars.MultiBar({ ...optionsOf(work), stream: terminal.screen }));
}

function inLines(terminal: Terminal, work: Work, now: () => number): Progress {
  let saidAt = now();
  return {
    report: (done, note) => {
      if (now() - saidAt < LINE_INTERVAL_MS) return;
      saidAt = now();
      const of = work.total === undefined ? '' : ` of ${shownAs(work, work.total)}`;
      terminal.error(`${shownAs(work, done)}${of} ${unitOf(work)}${note === undefined ? '' : `; ${note}`}`);
    },
    line: terminal.out,
    end: () => undefined,
  };
}

/** A report is shown a frame later: reports that come in bursts would tell a speed that nothing has. */
function asBar(terminal: Terminal, work: Work, bars: MultiBar): Progress {
  const bar: SingleBar = bars.create(work.total ?? 0, 0, { note: '' });
  let reached = { done: 0, note: '' };
  const show = (): void => bar.update(reached.done, { note: reached.note });
  bars.on('redraw-pre', show);
  const end = (): void => {
    reached = { ...reached, note: '' };
    // Lines that still wait are written by an update, and lost by a stop.
    bars.update();
    bars.stop();
  };
  // Whoever is told of Ctrl-C is told below the bar.
  terminal.interrupted?.addEventListener('abort', end, { once: true });
  return {
    report: (done, note = '') => {
      reached = { done, note };
    },
    // Where the result goes to the same screen, it scrolls above the bar.
    line: (text) => (terminal.outIsScreen === true ? bars.log(`${text}\n`) : terminal.out(text)),
    end: () => {
      terminal.interrupted?.removeEventListener('abort', end);
      end();
    },
  };
}

const optionsOf = (work: Work): object => ({
  format:
    work.total === undefined
      ? `{value} ${unitOf(work)}  {duration_formatted}  {note}`
      : `[{bar}] {percentage}%  {value} of {total} ${unitOf(work)}  {eta_formatted} left  {note}`,
  formatValue: (value: number, _options: object, type: string) =>
    type === 'value' || type === 'total' ? shownAs(work, value) : String(value),
  formatTime: timeOf,
  barsize: 24,
  // Frames, ten a second, over which the speed is measured.
  etaBuffer: 50,
  emptyOnZero: true,
  // The bar is cut at the width of the screen, and lines above it are not.
  linewrap: true,
});

/** `seconds` is a word where the library cannot tell yet. */
function timeOf(seconds: number | string): string {
  if (typeof seconds === 'string') return '?';
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const shownAs = ({ unit }: Work, value: number): string =>
  unit === 'bytes' ? (value / MEGABYTE).toFixed(1) : String(value);
const unitOf = ({ unit }: Work): string => (unit === 'bytes' ? 'MB' : unit);
