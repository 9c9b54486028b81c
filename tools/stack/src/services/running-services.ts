import { join } from 'node:path';
import type { ContextName } from '@capability-router/contracts';
import type { StackState } from '../stack-state.js';
import type { FirstAccounts } from './first-accounts.js';
import { recordServices, type RecordedService } from './recorded-services.js';
import { Replica } from './replica.js';
import type { ServiceEnvironment } from './service-environment.js';

export interface RunningServices {
  /** Base URLs of the gateway's replicas; nothing balances between them. */
  readonly gatewayUrls: readonly string[];
  readonly accounts: FirstAccounts;
  readonly replicas: readonly Replica[];
  /** @throws Error when there is no such replica. `index` from 0. */
  replica(name: ContextName, index?: number): Replica;
  /** SIGKILL, and waits for the end. */
  killReplica(name: ContextName, index?: number): Promise<void>;
  /** Starts a stopped or killed replica on its old port and waits until it is ready. */
  startReplica(name: ContextName, index?: number, extraEnv?: ServiceEnvironment): Promise<void>;
  /** Stops all by SIGTERM, those that take calls first. */
  stop(): Promise<void>;
}

/** Replicas whose every start and end is written to the stack's folder. */
export function replicasOf(stack: StackState, services: readonly RecordedService[]): readonly Replica[] {
  const replicas: Replica[] = [];
  const record = (): void =>
    recordServices(
      stack.directory,
      replicas.map((replica) => replica.record),
    );
  for (const service of services) {
    const { name, index, address, environment } = service;
    replicas.push(new Replica(name, index, address, environment, join(stack.directory, 'logs'), record, service));
  }
  return replicas;
}

export function runningServices(replicas: readonly Replica[], accounts: FirstAccounts): RunningServices {
  const find = (name: ContextName, index = 0): Replica => {
    const replica = replicas.find((candidate) => candidate.name === name && candidate.index === index);
    if (replica === undefined) throw new Error(`There is no ${name} ${index}`);
    return replica;
  };
  const gateways = replicas.filter(({ name }) => name === 'gateway');
  return {
    gatewayUrls: gateways.map(({ url }) => url),
    accounts,
    replicas,
    replica: find,
    killReplica: (name, index) => find(name, index).kill(),
    startReplica: (name, index, extraEnv) => find(name, index).start(extraEnv),
    stop: async () => {
      await Promise.all(gateways.map((replica) => replica.stop()));
      await Promise.all(replicas.map((replica) => replica.stop()));
    },
  };
}
