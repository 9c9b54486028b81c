import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { endInTurn } from '../runtime/end-in-turn.js';

const hooks = ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'] as const;

type Ending = Partial<Record<(typeof hooks)[number], (signal?: string) => unknown>>;

/**
 * Closes the application. Nest only logs what a hook throws that ends something; here every hook is still called, and then
 * closing fails too, so that whoever stops the service hears of it.
 */
export async function closeApp(app: INestApplicationContext): Promise<void> {
  const failures: unknown[] = [];
  for (const instance of instancesOf(app)) for (const hook of hooks) watch(instance, hook, failures);
  await endInTurn([() => app.close(), () => endInTurn(failures.map(rethrow))]);
}

const rethrow = (failure: unknown) => (): never => {
  throw failure;
};

function instancesOf(app: INestApplicationContext): ReadonlySet<Ending> {
  // Injectables are guards, interceptors, pipes and filters that a controller names; Nest ends them like the others.
  const wrappers = [...app.get(ModulesContainer).values()].flatMap(
    ({ providers, controllers, injectables, middlewares }) =>
      [providers, controllers, injectables, middlewares].flatMap((parts) => [...parts.values()]),
  );
  const instances = wrappers.flatMap((wrapper): unknown[] =>
    wrapper.isTransient ? wrapper.getStaticTransientInstances().map((host) => host?.instance) : [wrapper.instance],
  );
  return new Set(instances.filter((instance): instance is Ending => typeof instance === 'object' && instance !== null));
}

function watch(instance: Ending, hook: (typeof hooks)[number], failures: unknown[]): void {
  const end = instance[hook];
  if (typeof end !== 'function') return;
  instance[hook] = async (signal) => {
    try {
      await end.call(instance, signal);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
}
