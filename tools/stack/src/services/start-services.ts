import { contexts, type ContextName } from '@capability-router/contracts';
import { readRunningStack, type StackState } from '../stack-state.js';
import { OperatorError } from '../system/programs.js';
import { chooseAddresses } from './choose-addresses.js';
import { ensureFirstAccounts } from './first-accounts.js';
import { readRunningServices } from './recorded-services.js';
import { replicasOf, runningServices, type RunningServices } from './running-services.js';
import { environmentOf, urlOf, type ServiceEnvironment } from './service-environment.js';

export interface StartServicesOptions {
  /** Default: the stack of `.stack`, which has to run. */
  readonly stack?: StackState;
  /** Processes of each service. Default 1. */
  readonly replicas?: number;
  /** The first gateway listens here where the port is free. Without it, on a port that nobody else looks for. */
  readonly gatewayPort?: number;
  /** Variables for every service, over the usual ones. */
  readonly env?: ServiceEnvironment;
  /** Variables for single services, over all others. */
  readonly serviceEnv?: Readonly<Partial<Record<ContextName, ServiceEnvironment>>>;
  readonly log?: (line: string) => void;
}

/** Starts every service on the stack and waits until each is ready. When one fails, all are stopped. */
export async function startServices(options: StartServicesOptions = {}): Promise<RunningServices> {
  const stack = options.stack ?? readRunningStack();
  const count = options.replicas ?? 1;
  const log = options.log ?? (() => undefined);
  const left = readRunningServices(stack.directory);
  if (left.length > 0) {
    throw new OperatorError(
      `Services already run on this stack (${left.map(({ name }) => name).join(', ')}). npm run stack:down`,
    );
  }
  const addresses = await chooseAddresses(count, options.gatewayPort);
  const replicas = replicasOf(
    stack,
    contexts.flatMap((name) =>
      addresses[name].map((address, index) => ({
        name,
        index,
        address,
        environment: {
          ...environmentOf(stack, name, address, addresses),
          ...options.env,
          ...options.serviceEnv?.[name],
        },
        extra: {},
      })),
    ),
  );
  const [identity, gateway] = [addresses.identity[0], addresses.gateway[0]];
  if (identity === undefined || gateway === undefined) throw new Error('No replica was asked for');
  const accounts = ensureFirstAccounts(stack.directory, urlOf(gateway), {
    ...environmentOf(stack, 'identity', identity, addresses),
    ...options.env,
  });
  const services = runningServices(replicas, accounts);
  const starts = replicas.map(async (replica) => {
    await replica.start();
    log(`${replica.name} ${replica.index} is ready on ${replica.url}`);
  });
  await Promise.allSettled(starts);
  try {
    await Promise.all(starts);
  } catch (error) {
    await services.stop();
    throw error;
  }
  return services;
}
