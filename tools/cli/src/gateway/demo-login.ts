import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, exitCodes } from '../terminal.js';
import { causeOf, isObject, objectIn } from './gateway.js';
import type { SavedLogin } from './saved-login.js';

/** A standalone writes this file for whoever may read its data folder. */
const DEMO_FILE = 'demo.json';

export interface DemoLogin extends SavedLogin {
  /** The key of its administrator; absent where the folder has none. */
  readonly adminKey?: string;
}

/**
 * The gateway of a standalone and the key of its demo account.
 * @throws CommandError where the folder has none
 */
export function demoLogin(dataDir: string): DemoLogin {
  const demo = objectIn(readFrom(join(dataDir, DEMO_FILE)));
  const { base_url: gateway, api_key: apiKey, admin_key: adminKey } = isObject(demo) ? demo : {};
  if (typeof gateway === 'string' && typeof apiKey === 'string') {
    return { gateway, apiKey, ...(typeof adminKey === 'string' ? { adminKey } : {}) };
  }
  throw new CommandError(exitCodes.usage, `${join(dataDir, DEMO_FILE)} holds no demo account`);
}

/** @throws CommandError where it cannot be read */
export function readFrom(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(exitCodes.usage, `${path} cannot be read: ${causeOf(error)}`);
  }
}
