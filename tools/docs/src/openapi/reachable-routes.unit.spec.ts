import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { API_PREFIX } from '@capability-router/contracts';
import { gatewayRoutes } from '@capability-router/gateway';
import { workspaceRoot } from '../workspace.js';

/** Names of parts differ: what an id is, is said on one side more exactly. */
const nameOf = (method: string, path: string): string =>
  `${method} ${path.replaceAll(/(?<!:):(?!:)\w+/g, ':').replaceAll('::', ':')}`;

const controllers = readdirSync(join(workspaceRoot, 'apps'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.controller.ts') && !file.includes('node_modules') && !file.startsWith('gateway/'))
  .map((file) => readFileSync(join(workspaceRoot, 'apps', file), 'utf8'));

/** Routes below the prefixes that callers know; bases that are constants of a page are not among them. */
const ofServices = controllers.flatMap((source) => {
  const base = /@Controller\((?:['`]([^'`]*)['`])?\)/.exec(source)?.[1] ?? '';
  return [...source.matchAll(/@(Get|Post|Put|Patch|Delete|Head)\(\[?(?:['`]([^'`]*)['`])?[^)]*\)/g)].flatMap(
    ([, verb = '', end = '']) => {
      const path = [base, end].filter(Boolean).join('/').replaceAll('${API_PREFIX}', API_PREFIX.slice(1));
      return /^(?:api|admin)\/v1/.test(path) ? [nameOf(verb.toUpperCase(), `/${path}`)] : [];
    },
  );
});

describe('the routes of services that callers and administrators know', () => {
  const ofGateway = new Set(gatewayRoutes.map(({ method, path }) => nameOf(method, path)));

  it('are all reached through the gateway', () => {
    expect(ofServices.length).toBeGreaterThan(100);
    expect(ofServices.filter((route) => !ofGateway.has(route))).toEqual([]);
  });

  it('are all that the gateway leads to below these prefixes, but for the same place by another name', () => {
    const known = new Set(ofServices);
    const elsewhere = gatewayRoutes.filter(
      ({ path, upstreamPath }) => upstreamPath === undefined && /^\/(?:api|admin)\/v1/.test(path),
    );
    const unknown = elsewhere.map(({ method, path }) => nameOf(method, path)).filter((route) => !known.has(route));
    expect(unknown).toEqual([]);
  });
});
