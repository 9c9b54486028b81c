import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ContextName } from '@capability-router/contracts';
import type { InternalKeys } from '@capability-router/service-kit';
import type { ProcessIdentity } from './system/process-identity.js';
import { OperatorError } from './system/programs.js';
import { workspaceRoot } from './workspace.js';

export interface RunningPart {
  readonly process: ProcessIdentity;
  readonly port: number;
}

export type PartName = 'postgres' | 'redis' | 'kafka';
export type ServiceWithDatabase = Exclude<ContextName, 'gateway'>;

export interface DatabaseAccess {
  readonly ownerUrl: string;
  readonly appUrl: string;
  readonly applicationRole: string;
}

/** Everything of a running stack, kept in `<directory>/stack.json` (mode 0600). */
export interface StackState {
  readonly directory: string;
  readonly parts: Readonly<Record<PartName, RunningPart>>;
  /** Superuser URL of the cluster's `postgres` database. */
  readonly postgresUrl: string;
  readonly databases: Readonly<Record<ServiceWithDatabase, DatabaseAccess>>;
  readonly redisUrl: string;
  readonly kafkaBrokers: readonly string[];
  readonly keys: InternalKeys;
  readonly secrets: StackSecrets;
}

/** Generated once for a directory and kept until it is deleted. */
export interface StackSecrets {
  readonly postgres: string;
  readonly redis: string;
  readonly databases: Readonly<Record<ServiceWithDatabase, { readonly owner: string; readonly application: string }>>;
  /** RESULT_LINK_KEY of execution. */
  readonly resultLinkKey: string;
  /** CREDENTIAL_KEYS of execution. */
  readonly credentialKeys: string;
}

/** The state is written while parts come up one after the other; `down` stops whatever is in it. */
export type PartialStackState = Partial<StackState> & Pick<StackState, 'directory'>;

/** `.stack` at the top of the repository, or STACK_DIR. */
export function stackDirectory(): string {
  return resolve(workspaceRoot, process.env['STACK_DIR'] ?? '.stack');
}

const stateFile = (directory: string): string => join(directory, 'stack.json');

export function readState(directory: string): PartialStackState {
  const path = stateFile(directory);
  if (!existsSync(path)) return { directory };
  return { ...(JSON.parse(readFileSync(path, 'utf8')) as PartialStackState), directory };
}

/** The state of a stack whose every part came up. @throws OperatorError that names the command to run first. */
export function readRunningStack(directory: string = stackDirectory()): StackState {
  const state = readState(directory);
  if (state.parts === undefined || state.keys === undefined || state.databases === undefined) {
    throw new OperatorError(`No stack runs in ${directory}. Start it with: npm run stack:up`);
  }
  return state as StackState;
}

export function writeState(state: PartialStackState): void {
  mkdirSync(state.directory, { recursive: true });
  const path = stateFile(state.directory);
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, JSON.stringify(state, null, 2), { mode: 0o600 });
  renameSync(temporary, path);
}
