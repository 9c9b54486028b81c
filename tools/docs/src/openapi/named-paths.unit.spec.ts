import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { API_PREFIX } from '@capability-router/contracts';
import { recordedExchanges } from '@capability-router/contracts/testing';
import { gatewayRoutes } from '@capability-router/gateway';
import type { JsonObject } from '@capability-router/kernel';
import { workspaceRoot } from '../workspace.js';
import { adminOpenApi } from './admin-document.js';
import { ADMIN_PREFIX } from './admin-routes.js';
import { publicOpenApi } from './public-document.js';

/** A path that something names, with the method where that is said. */
interface Named {
  readonly method: string | undefined;
  readonly path: string;
}

const plain = (path: string): string => path.replaceAll(/\{[^}]*\}|\$\{[^}]*\}|:[A-Z]\w*|:[a-z]\w*(?=\/|$)/gi, '{}');
const pathsOf = (document: JsonObject): string[] =>
  Object.entries(document['paths'] as Record<string, JsonObject>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

/** Method and path of all that a caller can reach, and whether it is named with or without what is in front of it. */
const reachable: ReadonlySet<string> = new Set(
  [
    ...pathsOf(publicOpenApi()).flatMap((name) => [name, name.replace(' ', ` ${API_PREFIX}`)]),
    ...pathsOf(adminOpenApi()).map((name) => name.replace(' ', ` ${ADMIN_PREFIX}`)),
    ...gatewayRoutes.map(({ method, path }) => `${method} ${path.replaceAll('::', ':')}`),
  ].map(plain),
);
const pathsAlone: ReadonlySet<string> = new Set([...reachable].map((name) => name.split(' ')[1] ?? ''));
/** Paths of the origin, as `apps/gateway/src/well-known` and the MCP endpoint have them; its own tests ask for each. */
const ofOrigin: ReadonlySet<string> = new Set([
  '',
  API_PREFIX,
  '/mcp',
  '/.well-known/oauth-protected-resource/api/v1',
  '/.well-known/oauth-protected-resource/mcp',
]);

function exists({ method, path }: Named): boolean {
  const bare = plain(path.replace(/[.,]$/, '').replaceAll('::', ':'));
  // A path that ends in a slash is the beginning of one with an id.
  const whole = bare.endsWith('/') ? `${bare}{}` : bare;
  return method === undefined ? pathsAlone.has(whole) : reachable.has(`${method} ${whole}`);
}

const pathPattern = /(?:\b(GET|POST|PUT|PATCH|DELETE|HEAD) )?(?<![\w<>.}/:$])(\/[A-Za-z][\w{}/:.$-]*)/g;
const namedIn = (text: string): Named[] =>
  [...text.matchAll(pathPattern)].map(([, method, path = '']) => ({ method, path }));

/** The texts by which answers tell people and models what to do next. */
const advice =
  /"(?:message|error|error_message|error_description|msg|notice|hint|next_step|reason)": "((?:[^"\\]|\\.)*)"/g;

/** The lines of services that are no comments, with the paths that they name behind a method. */
function namedBySources(): Named[] {
  return ['apps', 'libs'].flatMap((top) =>
    readdirSync(join(workspaceRoot, top), { recursive: true, encoding: 'utf8' })
      .filter((file) => /^[\w-]+\/src\/.*\.ts$/.test(file) && !/\.spec\.ts$|test-support|\/testing\//.test(file))
      .flatMap((file) => readFileSync(join(workspaceRoot, top, file), 'utf8').split('\n'))
      .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line))
      .flatMap((line) => namedIn(line).filter(({ method }) => method !== undefined)),
  );
}

describe('the paths that somebody is led to', () => {
  const exchanges = recordedExchanges();

  it('are there: those in the messages of answers', () => {
    const named = exchanges.flatMap(({ body }) => [...body.matchAll(advice)].flatMap(([, text = '']) => namedIn(text)));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((one) => !exists(one))).toEqual([]);
  });

  it('are there: the links to the deployment itself in answers', () => {
    const links = exchanges.flatMap(({ body }) =>
      [...body.matchAll(/<origin>([^"\s,?<]*)/g)].map(([, path = '']) => path),
    );
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((path) => !ofOrigin.has(path) && !exists({ method: undefined, path }))).toEqual([]);
  });

  it('are there: those that services have words for, also where no test provokes them', () => {
    const named = namedBySources().filter(({ path }) => !path.startsWith('/internal/'));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((one) => !exists(one))).toEqual([]);
  });

  it('would be missed if they were not', () => {
    for (const text of ['See /pricing.', 'Top up at /account', 'Use GET /tools/none first', 'POST /auth/credits']) {
      expect([text, namedIn(text).map(exists)]).toEqual([text, [false]]);
    }
    expect(namedIn('Use GET /auth/credits, or POST /search.').map(exists)).toEqual([true, true]);
  });
});
