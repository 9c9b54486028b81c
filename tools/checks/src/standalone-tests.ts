import { join } from 'node:path';
import { runJest, type TestCounts } from './jest-run.js';
import { runPostgresSpecs } from './postgres-tests.js';
import { findChromium } from './find-chromium.js';
import { findSpecFiles, type SpecFiles } from './spec-files.js';
import { startStandalone } from './standalone-process.js';
import { workspaceRoot } from './workspace.js';
import { runGroup, withStarted, type TestGroup } from './test-groups.js';

/** The longest of them start a whole product or a database again and again, and wait for it. */
const WORKERS = 4;
/** Milliseconds. */
const INTEGRATION_TIMEOUT_MS = 120_000;
/** The tests of acceptance mostly wait for the deployment, so there are more at a time than processors. */
export const ACCEPTANCE_WORKERS = 4;
export const ACCEPTANCE_TIMEOUT_MS = 180_000;
/**
 * One administrator prepares the accounts and tools of all acceptance tests, and all their requests without a credential
 * come from one address, on a fast machine within a minute.
 */
export const roomyLimits = { RATE_LIMIT_READ: '100000', RATE_LIMIT_ANONYMOUS: '120000' };
/** A list is counted at once, or a rebuild beside it holds it up for a moment; that it is given up is tested elsewhere. */
export const roomyLists = { PAGE_TIMEOUT_MS: '8000' };

/** Specs register trial agents and ask for mail from one address, on one stack again and again: the daily caps are tested elsewhere. */
export const roomyTrials = {
  TRIAL_REGISTRATIONS_PER_ADDRESS_PER_DAY: '100000',
  TRIAL_REGISTRATIONS_PER_NETWORK_PER_DAY: '100000',
  TRIAL_DAILY_BUDGET_CREDITS: '10000000',
  DEVICE_MAILS_PER_ADDRESS_PER_DAY: '100000',
  DEVICE_MAILS_PER_NETWORK_PER_DAY: '100000',
  DEVICE_WRONG_CODES_PER_ADDRESS_PER_DAY: '100000',
  DEVICE_WRONG_CODES_PER_NETWORK_PER_DAY: '100000',
};

/** A tool that clients of MCP call by its own name. */
export const publishedTools = { MCP_PUBLISHED_TOOLS: 'almanac.holiday.list.v1' };

/** The reference server of MCP as a process beside registry and execution, as the guide on tools has it. */
export const stdioServer = {
  MCP_STDIO_COMMANDS: JSON.stringify({
    everything: {
      command: process.execPath,
      args: [join(workspaceRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
    },
  }),
};

/** The tests that need nothing but Node: pure parts, parts on PostgreSQL, and the whole on embedded parts. */
export async function runStandaloneTests(): Promise<readonly TestGroup[]> {
  const specs = await findSpecFiles();
  return [
    await runGroup('parts alone', () =>
      runJest(specs.selfContained, { workers: WORKERS, testTimeoutMs: INTEGRATION_TIMEOUT_MS }),
    ),
    await runGroup('parts that measure time', () =>
      runJest(specs.measuringTime, { workers: 1, testTimeoutMs: INTEGRATION_TIMEOUT_MS }),
    ),
    await runPostgresSpecs(specs),
    await runGroup('acceptance on standalone', () => runAcceptance([...specs.acceptance, ...inBrowser(specs)])),
  ];
}

/** A machine with nothing but Node has no browser: the same pages are driven there as forms over HTTP. */
function inBrowser({ browser }: SpecFiles): readonly string[] {
  if (findChromium() !== undefined) return browser;
  console.log(`pages in a browser: NOT RUN, there is no chromium (${browser.length} spec files)`);
  return [];
}

/** Specs of acceptance on a standalone that is started for them and stopped afterwards. */
export const runAcceptance = (
  specs: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<TestCounts> =>
  withStarted(
    () => startStandalone({ ...roomyLimits, ...roomyLists, ...roomyTrials, ...publishedTools, ...stdioServer }),
    ({ env }) =>
      runJest(specs, {
        workers: ACCEPTANCE_WORKERS,
        testTimeoutMs: ACCEPTANCE_TIMEOUT_MS,
        env: { ...env, ...chromiumEnv(), ...settings },
      }),
  );

/** For specs that drive a browser; nothing where the machine has none. */
export function chromiumEnv(): Record<string, string> {
  const path = findChromium();
  return path === undefined ? {} : { TEST_CHROMIUM: path };
}
