import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts, npmStartOptions } from '@capability-router/tools-stack';
import { companySignIn } from './company-sign-in.js';
import { workspaceRoot } from './workspace.js';

/** Milliseconds. */
const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
/** Characters of the log that a failure shows. */
const LOG_TAIL_LENGTH = 8_000;

/** Tools are verified where a test asks for it: answers that are recorded tell how tools stand. */
const quiet = { VERIFICATION_INTERVAL_HOURS: '0' };

export interface RunningStandalone {
  /** The variables that the acceptance suite has to know. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts `apps/standalone` as `npm start` does, on a data folder of its own and a free port, and waits until it is ready.
 * `settings` are configuration variables.
 */
export async function startStandalone(settings: Readonly<Record<string, string>> = {}): Promise<RunningStandalone> {
  const dataDir = await mkdtemp(join(tmpdir(), 'capability-router-standalone-'));
  const logFile = join(dataDir, 'output.log');
  // Not of the range from which the database takes its own port before this one is listened on.
  const [port, metricsPort] = await freePorts(2);
  const company = await companySignIn();
  const child = spawn(
    process.execPath,
    [...npmStartOptions(), '--import', './apps/standalone/bin/source-maps.mjs', 'apps/standalone/dist/main.js'],
    {
      cwd: workspaceRoot,
      env: {
        ...process.env,
        ...quiet,
        ...company.settings,
        ...settings,
        DATA_DIR: dataDir,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  process.once('exit', () => child.kill('SIGKILL'));
  const log = createWriteStream(logFile);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const stop = async (): Promise<void> => {
    await terminate(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const demo = await untilReady(child, `http://127.0.0.1:${port}`, join(dataDir, 'demo.json'));
    return {
      env: {
        ACCEPTANCE_BASE_URL: demo.base_url,
        ACCEPTANCE_API_KEY: demo.api_key,
        ACCEPTANCE_ADMIN_KEY: demo.admin_key,
        ACCEPTANCE_DATA_DIR: dataDir,
        ACCEPTANCE_MAIL_DIR: join(dataDir, 'mails'),
        ...company.env,
      },
      stop,
    };
  } catch (error) {
    console.error((await readFile(logFile, 'utf8')).slice(-LOG_TAIL_LENGTH));
    await stop();
    throw error;
  }
}

interface DemoFile {
  readonly base_url: string;
  readonly api_key: string;
  readonly admin_key: string;
}

async function untilReady(child: ChildProcess, origin: string, demoFile: string): Promise<DemoFile> {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`standalone ended with exit code ${child.exitCode}`);
    try {
      const response = await fetch(`${origin}/readyz`);
      if (response.ok) return JSON.parse(await readFile(demoFile, 'utf8')) as DemoFile;
    } catch (error) {
      if (Date.now() > deadlineMs) throw new Error('standalone did not become ready in time', { cause: error });
    }
    if (Date.now() > deadlineMs) throw new Error('standalone did not become ready in time');
    await sleep(POLL_MS);
  }
}

async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      resolve();
    }),
  );
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
