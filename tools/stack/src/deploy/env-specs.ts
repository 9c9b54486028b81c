import { contexts, type ContextName } from '@capability-router/contracts';
import { commonEnvSpec, describeEnv, peerEnvSpec, type EnvSpec } from '@capability-router/service-kit';

/** The variables a program knows; true for those that it does not start without. */
export type KnownVariables = ReadonlyMap<string, boolean>;

export function knownVariables(...specs: readonly EnvSpec[]): KnownVariables {
  return new Map(specs.flatMap((spec) => describeEnv(spec).map(({ name, required }) => [name, required] as const)));
}

/** The variables that each service reads, by its own specification. */
export async function serviceVariables(): Promise<Readonly<Record<ContextName, KnownVariables>>> {
  const entries = await Promise.all(
    contexts.map(async (name) => [name, knownVariables(commonEnvSpec, peerEnvSpec, await ownSpec(name))] as const),
  );
  return Object.fromEntries(entries) as Record<ContextName, KnownVariables>;
}

async function ownSpec(name: ContextName): Promise<EnvSpec> {
  const module = (await import(`@capability-router/${name}`)) as Readonly<Record<string, EnvSpec | undefined>>;
  const exportName = `${name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}EnvSpec`;
  const spec = module[exportName];
  if (spec === undefined) throw new Error(`@capability-router/${name} exports no ${exportName}`);
  return spec;
}

/** Complaints: names that the program does not know, and required ones that are not given. */
export function checkVariables(where: string, given: Iterable<string>, known: KnownVariables): string[] {
  const names = new Set(given);
  return [
    ...[...names].filter((name) => !known.has(name)).map((name) => `${where}: there is no variable ${name}`),
    ...[...known]
      .filter(([name, required]) => required && !names.has(name))
      .map(([name]) => `${where}: ${name} is required and not given`),
  ];
}
