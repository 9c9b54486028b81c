import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace.js';
import type { ServiceEnvironment } from './service-environment.js';

const timeoutMs = 120_000;

/** The content of `<directory>/demo.json` (mode 0600). */
export interface FirstAccounts {
  readonly base_url: string;
  readonly api_key: string;
  readonly admin_key: string;
}

const file = (directory: string): string => join(directory, 'demo.json');

/** Undefined before the first start of the services. */
export function readFirstAccounts(directory: string): FirstAccounts | undefined {
  return existsSync(file(directory)) ? (JSON.parse(readFileSync(file(directory), 'utf8')) as FirstAccounts) : undefined;
}

/** Has identity create the demo and the admin account, or issue them new keys when `demo.json` is gone. */
export function ensureFirstAccounts(directory: string, publicUrl: string, identity: ServiceEnvironment): FirstAccounts {
  const keys = readFirstAccounts(directory) ?? issueKeys(identity);
  const accounts = { base_url: `${publicUrl}/api/v1`, api_key: keys.api_key, admin_key: keys.admin_key };
  writeFileSync(file(directory), JSON.stringify(accounts, null, 2), { mode: 0o600 });
  return accounts;
}

function issueKeys(identity: ServiceEnvironment): Pick<FirstAccounts, 'api_key' | 'admin_key'> {
  const main = join(workspaceRoot, 'apps/identity/dist/bootstrap/main.js');
  const result = spawnSync(process.execPath, [main, '--reissue'], {
    env: { ...process.env, ...identity },
    encoding: 'utf8',
    timeout: timeoutMs,
  });
  if (result.status !== 0) throw new Error(`The first accounts could not be created:\n${result.stderr}`);
  return JSON.parse(result.stdout) as Pick<FirstAccounts, 'api_key' | 'admin_key'>;
}
