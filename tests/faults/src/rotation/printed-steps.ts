import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { contexts, type ContextName } from '@capability-router/contracts';
import { envPrefixOf } from '@capability-router/service-kit';
import type { StackState } from '@capability-router/tools-stack';

const program = fileURLToPath(new URL('../../../../tools/stack/dist/generate-secrets.js', import.meta.url));
const run = promisify(execFile);

/** The keys of each service in one step. */
export type KeyStep = Readonly<
  Record<ContextName, { readonly INTERNAL_JWKS: string; readonly INTERNAL_SIGNING_KEY: string }>
>;

/** The keys with which a stack starts its services. */
export function keysOf({ keys }: StackState): KeyStep {
  const entries = contexts.map((name) => [
    name,
    { INTERNAL_JWKS: JSON.stringify(keys.jwks), INTERNAL_SIGNING_KEY: JSON.stringify(keys.signingKeys[name]) },
  ]);
  return Object.fromEntries(entries) as KeyStep;
}

/** The steps that `generate-secrets rotate` prints for the keys of a stack, each a block of lines. */
export async function printedSteps(stack: StackState): Promise<readonly KeyStep[]> {
  const now = keysOf(stack);
  const signingKeys = contexts.map((name) => [signingKeyOf(name), now[name].INTERNAL_SIGNING_KEY] as const);
  const env = { ...process.env, INTERNAL_JWKS: now.gateway.INTERNAL_JWKS, ...Object.fromEntries(signingKeys) };
  const { stdout } = await run(process.execPath, [program, 'rotate'], { env });
  const [, ...blocks] = stdout.split(/^# .*\n/m);
  return blocks.map(stepOf);
}

function stepOf(block: string): KeyStep {
  const lines = new Map([...block.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
  const valueOf = (name: string): string => {
    const value = lines.get(name);
    if (value === undefined) throw new Error(`a step has no ${name}`);
    return value;
  };
  const entries = contexts.map((name) => [
    name,
    { INTERNAL_JWKS: valueOf('INTERNAL_JWKS'), INTERNAL_SIGNING_KEY: valueOf(signingKeyOf(name)) },
  ]);
  return Object.fromEntries(entries) as KeyStep;
}

const signingKeyOf = (name: ContextName): string => `${envPrefixOf(name)}_SIGNING_KEY`;
