import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { startProgress } from './progress.js';
import type { Terminal } from './terminal.js';

interface Seen {
  readonly terminal: Terminal;
  readonly out: string[];
  readonly error: string[];
  /** Everything that a screen was sent; ends it. */
  screen(): Promise<string>;
}

function terminalOf(options: { screen?: boolean; outIsScreen?: boolean; interrupted?: AbortSignal } = {}): Seen {
  const [out, error]: [string[], string[]] = [[], []];
  const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 100 });
  const shown = text(screen);
  const terminal: Terminal = {
    env: {},
    stdin: Readable.from([]),
    out: (line) => void out.push(line),
    error: (line) => void error.push(line),
    ...(options.screen === true ? { screen: screen as unknown as NodeJS.WriteStream } : {}),
    ...(options.outIsScreen === undefined ? {} : { outIsScreen: options.outIsScreen }),
    ...(options.interrupted === undefined ? {} : { interrupted: options.interrupted }),
  };
  return { terminal, out, error, screen: () => (screen.end(), shown) };
}

/** Milliseconds, roughly. */
const FRAME_MS = 100;

describe('the progress of a command', () => {
  it('is a bar on a screen, which ends where the work ends', async () => {
    const { terminal, screen, error } = terminalOf({ screen: true });
    const progress = await startProgress(terminal, {}, { unit: 'rows', total: 40 });
    progress.report(30, 'almost there');
    await sleep(2 * FRAME_MS);
    progress.end();
    const shown = await screen();
    expect(shown).toContain('75%  30 of 40 rows');
    expect(shown).toContain('almost there');
    // A note says where the work is, which is nowhere once it has ended.
    expect(shown.lastIndexOf('almost there')).toBeLessThan(shown.lastIndexOf('75%'));
    expect(shown).toMatch(/\[=+-+\]/);
    expect(shown.endsWith('\n')).toBe(true);
    expect(error).toEqual([]);
  });

  it('tells no time that a burst of reports makes up', async () => {
    const { terminal, screen } = terminalOf({ screen: true });
    const progress = await startProgress(terminal, {}, { unit: 'rows', total: 1_000_000 });
    for (let done = 1; done <= 500; done += 1) progress.report(done);
    await sleep(2 * FRAME_MS);
    for (let done = 501; done <= 1_000; done += 1) progress.report(done);
    await sleep(2 * FRAME_MS);
    progress.end();
    // A thousand of a million in half a second are minutes more, and not `0 s`.
    expect(await screen()).toMatch(/1000 of 1000000 rows {2}\d+ min \d+ s left/);
  });

  it('counts where nobody knows how much there is; bytes in megabytes', async () => {
    const { terminal, screen } = terminalOf({ screen: true });
    const progress = await startProgress(terminal, {}, { unit: 'bytes' });
    progress.report(1_250_000);
    progress.end();
    const shown = await screen();
    expect(shown).toContain('1.3 MB  0 s');
    expect(shown).not.toContain('%');
  });

  it('lets the result scroll above the bar where both go to one screen, and else leaves it where it goes', async () => {
    const together = terminalOf({ screen: true, outIsScreen: true });
    const above = await startProgress(together.terminal, {}, { unit: 'rows', total: 2 });
    above.line('row 1  created');
    above.report(1);
    above.end();
    expect(await together.screen()).toMatch(/row 1 {2}created.*\n.*1 of 2 rows/s);
    expect(together.out).toEqual([]);
    const apart = terminalOf({ screen: true, outIsScreen: false });
    const beside = await startProgress(apart.terminal, {}, { unit: 'rows', total: 2 });
    beside.line('row 1  created');
    beside.end();
    expect(apart.out).toEqual(['row 1  created']);
    expect(await apart.screen()).not.toContain('row 1');
  });

  it('ends its bar before whoever pressed Ctrl-C is told', async () => {
    const interruption = new AbortController();
    const { terminal, screen } = terminalOf({ screen: true, interrupted: interruption.signal });
    const progress = await startProgress(terminal, {}, { unit: 'rows', total: 2 });
    progress.report(1);
    interruption.abort();
    terminal.screen?.write('error: interrupted');
    expect(await screen()).toMatch(/\nerror: interrupted$/);
  });

  it('is nothing for programs, and lines now and then where there is no screen', async () => {
    const program = terminalOf({ screen: true });
    const quiet = await startProgress(program.terminal, { json: true }, { unit: 'rows', total: 2 });
    quiet.report(1);
    quiet.line('{"row":1}');
    quiet.end();
    expect([program.out, program.error, await program.screen()]).toEqual([['{"row":1}'], [], '']);
    const log = terminalOf();
    let nowMs = 0;
    const lines = await startProgress(log.terminal, {}, { unit: 'entries', total: 900 }, () => nowMs);
    for (const [atMs, done] of [
      [9_000, 100],
      [10_000, 200],
      [12_000, 300],
      [20_000, 400],
    ] as const) {
      nowMs = atMs;
      lines.report(done, 'place');
    }
    lines.end();
    expect(log.error).toEqual(['200 of 900 entries; place', '400 of 900 entries; place']);
  });
});
