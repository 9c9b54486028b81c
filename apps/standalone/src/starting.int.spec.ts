import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, START_TIMEOUT_MS } from './test-support/standalone-process.js';
import { processesOf, repeatedKeys, StartedProgram } from './test-support/started-program.js';

const launcher = fileURLToPath(new URL('../bin/start.mjs', import.meta.url));

describe('a start of standalone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'standalone-start-'));
  /** One for all tests: what was cut off in one must not keep the next from starting. */
  const dataDir = join(folder, 'data');
  const taken: Server = createServer();
  let takenPort: number;
  let port: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    takenPort = (taken.address() as AddressInfo).port;
    port = String(await freePort());
    writeFileSync(join(folder, 'file'), '');
  });

  afterAll(() => {
    taken.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'answers --help, --version and what it does not know, from both doors, and leaves no folder',
    async () => {
      for (const program of [launcher, undefined]) {
        const answers = ['--help', '--version', '--port'].map(
          (argument) => new StartedProgram({ DATA_DIR: dataDir, PORT: port }, [argument], program),
        );
        expect(await Promise.all(answers.map((answer) => answer.ended()))).toEqual([0, 0, 2]);
        expect(answers.map(({ stdout }) => stdout)).toEqual([
          expect.stringContaining('DATA_DIR'),
          expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
          '',
        ]);
        expect(answers[2]?.stderr).toMatch(/--port/);
      }
      expect(existsSync(dataDir)).toBe(false);
    },
    START_TIMEOUT_MS,
  );

  it(
    'says in one sentence what is wrong with a setting and what to do, ends with 1 and writes nothing',
    async () => {
      const settings: readonly [NodeJS.ProcessEnv, RegExp][] = [
        [{ PORT: String(takenPort) }, /port \d+ is taken: set PORT to a free one, or leave it unset/],
        [{ METRICS_PORT: String(takenPort) }, /port \d+ is taken: set METRICS_PORT to a free one, or leave it unset/],
        [{ HOST: '203.0.113.7' }, /HOST is 203\.0\.113\.7, which is not an address of this machine: .*0\.0\.0\.0/],
        [{ HOST: 'no-such-host.invalid' }, /HOST is no-such-host\.invalid, a name .*: leave it unset/],
        [{ DATA_DIR: join(folder, 'file') }, /DATA_DIR is .*, which is a file: set it to a folder/],
        [{ DATA_DIR: join(folder, 'file', 'data') }, /DATA_DIR is .*, which lies below a file: set it to a folder/],
      ];
      // A port each: one that tries whether it is free keeps another from finding it so.
      const ports = await Promise.all(settings.map(() => freePort()));
      const starts = settings.map(
        ([env], index) => new StartedProgram({ DATA_DIR: dataDir, PORT: String(ports[index]), ...env }),
      );
      expect(await Promise.all(starts.map((start) => start.ended()))).toEqual(settings.map(() => 1));
      starts.forEach(({ stdout, stderr }, index) => {
        expect(stderr).toMatch(settings[index]?.[1] ?? /^never$/);
        expect(stderr.trim().split('\n')).toHaveLength(1);
        expect(stdout).toBe('');
      });
      expect(existsSync(dataDir)).toBe(false);
    },
    START_TIMEOUT_MS,
  );

  it(
    'names every bad setting of every service at once, tells a misspelt one, and writes nothing',
    async () => {
      const bad = { LOG_LEVEL: 'loud', SETTLEMENT_BATCH: '0', RATE_LIMIT_CALL: 'many', EXECUTION_LEASE_MS: '1' };
      const start = new StartedProgram({ DATA_DIR: dataDir, PORT: port, ...bad });
      expect(await start.ended()).toBe(1);
      for (const name of Object.keys(bad)) expect(start.stderr).toContain(`  ${name}: must be `);
      expect(start.stderr.trim().split('\n')).toHaveLength(1 + Object.keys(bad).length);
      const misspelt = new StartedProgram({ DATA_DIR: join(folder, 'file'), PORT: port, RATE_LIMT_CALL: '5' });
      await misspelt.ended();
      expect(misspelt.stderr).toContain('RATE_LIMT_CALL is not a setting and does nothing; is RATE_LIMIT_CALL meant?');
      expect(existsSync(dataDir)).toBe(false);
    },
    START_TIMEOUT_MS,
  );

  it.each([
    ['Creating the database', 'SIGINT', 130],
    ['Updating the databases', 'SIGTERM', 143],
    ['Starting registry', 'SIGINT', 130],
  ] as const)(
    'ends in the step "%s" on %s, told twice as by npm, with all its processes',
    async (step, signal, code) => {
      const start = new StartedProgram({ DATA_DIR: dataDir, PORT: port });
      await start.until(step);
      start.signal(signal);
      start.signal(signal);
      expect({ code: await start.ended(), stderr: start.stderr }).toEqual({
        code,
        stderr: expect.stringMatching(/Stopped while starting\./),
      });
      expect(start.stderr).not.toContain('    at ');
      expect(start.stdout).toBe('');
      expect(processesOf(dataDir)).toEqual([]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'goes on after all that on a port that is its own from the first step, says each step in a line, prints the metrics, and each key of a log line once',
    async () => {
      const metricsPort = String(await freePort());
      const first = new StartedProgram({
        DATA_DIR: dataDir,
        PORT: port,
        METRICS_PORT: metricsPort,
        LOG_LEVEL: 'trace',
      });
      await first.until('Starting the database');
      for (const held of [port, metricsPort]) {
        const early = await fetch(`http://127.0.0.1:${held}/readyz`);
        expect([early.status, early.headers.get('retry-after'), await early.json()]).toEqual([
          503,
          '1',
          { status: 'not_ready', detail: 'starting' },
        ]);
      }
      await first.until('Stop with Ctrl-C');
      const steps = first.stderr.trim().split('\n');
      expect(steps[0]).toBe('Starting the database …');
      expect(steps).toContain('Starting gateway …');
      expect(new Set(steps).size).toBe(steps.length);

      const metrics = /Metrics +(http:\S+)/.exec(first.stdout)?.[1] ?? '';
      expect(await (await fetch(metrics)).text()).toContain('http_request_duration_seconds');

      const lines = first.stdout.split('\n').filter((line) => line.startsWith('{'));
      expect(lines.filter((line) => (JSON.parse(line) as { service?: string }).service === 'gateway')).not.toEqual([]);
      expect(lines.filter((line) => repeatedKeys(line).length > 0)).toEqual([]);
      expect(repeatedKeys('{"a":1,"b":{"c":"a\\": {","c":2},"a":"b"}')).toEqual(['a']);

      const second = new StartedProgram({ DATA_DIR: dataDir, PORT: String(await freePort()) });
      expect(await second.ended()).toBe(1);
      expect(second.stderr).toMatch(/data folder .* is in use by process \d+.*DATA_DIR=/);
      expect(second.stderr).not.toContain('    at ');
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);

      first.signal('SIGINT');
      first.signal('SIGINT');
      expect(await first.ended()).toBe(0);
      expect(processesOf(dataDir)).toEqual([]);
    },
    START_TIMEOUT_MS,
  );
});
