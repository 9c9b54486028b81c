import { join } from 'node:path';
import { contexts, type ContextName } from '@capability-router/contracts';
import { readRunningStack, type StackState } from '../stack-state.js';
import { freePorts } from '../system/free-ports.js';
import { OperatorError } from '../system/programs.js';
import { ensureFirstAccounts, type FirstAccounts } from './first-accounts.js';
import { readRecordedServices, recordServices } from './recorded-services.js';
import { Replica } from './replica.js';
import { environmentOf, type ReplicaAddress, type ServiceEnvironment } from './service-environment.js';

const defaultGatewayPort = 8080;

export interface StartServicesOptions {
  /** Default: the stack of `.stack`, which has to run. */
  readonly stack?: StackState;
  /** Processes of each service. Default 1. */
  readonly replicas?: number;
  /** Variables for every service, over the usual ones. */
  readonly env?: ServiceEnvironment;
  /** Variables for single services, over all others. */
  readonly serviceEnv?: Readonly<Partial<Record<ContextName, ServiceEnvironment>>>;
  readonly log?: (line: string) => void;
}

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

/** Starts every service on the stack and waits until each is ready. When one fails, all are stopped. */
export async function startServices(options: StartServicesOptions = {}): Promise<RunningServices> {
  const stack = options.stack ?? readRunningStack();
  const count = options.replicas ?? 1;
  const log = options.log ?? (() => undefined);
  const left = readRecordedServices(stack.directory);
  if (left.length > 0) {
    throw new OperatorError(
      `Services already run on this stack (${left.map(({ name }) => name).join(', ')}). npm run stack:down`,
    );
  }
  const addresses = await chooseAddresses(count);
  const replicas: Replica[] = [];
  const record = (): void => {
    const running = replicas.flatMap(({ name, index, process }) =>
      process === undefined ? [] : [{ name: `${name} ${index}`, process }],
    );
    recordServices(stack.directory, running);
  };
  for (const name of contexts) {
    for (const [index, address] of addresses[name].entries()) {
      const environment = {
        ...environmentOf(stack, name, address, addresses),
        ...options.env,
        ...options.serviceEnv?.[name],
      };
      replicas.push(new Replica(name, index, address, environment, join(stack.directory, 'logs'), record));
    }
  }
  const find = (name: ContextName, index = 0): Replica => {
    const replica = replicas.find((candidate) => candidate.name === name && candidate.index === index);
    if (replica === undefined) throw new Error(`There is no ${name} ${index}`);
    return replica;
  };
  const gatewayUrls = addresses.gateway.map(({ port }) => `http://127.0.0.1:${port}`);
  const identity = environmentOf(stack, 'identity', find('identity').address, addresses);
  const accounts = ensureFirstAccounts(stack.directory, gatewayUrls[0] ?? '', { ...identity, ...options.env });
  const stop = async (): Promise<void> => {
    await Promise.all(replicas.filter(({ name }) => name === 'gateway').map((replica) => replica.stop()));
    await Promise.all(replicas.map((replica) => replica.stop()));
  };
  const starts = replicas.map(async (replica) => {
    await replica.start();
    log(`${replica.name} ${replica.index} is ready on ${replica.url}`);
  });
  await Promise.allSettled(starts);
  try {
    await Promise.all(starts);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    gatewayUrls,
    accounts,
    replicas,
    replica: find,
    killReplica: (name, index) => find(name, index).kill(),
    startReplica: (name, index, extraEnv) => find(name, index).start(extraEnv),
    stop,
  };
}

/** The first gateway listens on 8080 where that is free; the rest take what is free. */
async function chooseAddresses(count: number): Promise<Record<ContextName, ReplicaAddress[]>> {
  const ports = await freePorts(contexts.length * count * 2, [defaultGatewayPort]);
  const next = (): number => {
    const port = ports.shift();
    if (port === undefined) throw new Error('Too few ports were reserved');
    return port;
  };
  const entries = contexts.map((name) => [
    name,
    Array.from({ length: count }, () => ({ port: next(), metricsPort: next() })),
  ]);
  return Object.fromEntries(entries) as Record<ContextName, ReplicaAddress[]>;
}
