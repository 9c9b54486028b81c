import { describe, expect, it } from '@jest/globals';
import fastify from 'fastify';
import { RouteTable } from './route-table.js';

const server = fastify({ exposeHeadRoutes: false });
const table = new RouteTable();
table.attach(server);
for (const [method, url] of [
  ['DELETE', '/keys/:keyId'],
  ['PATCH', '/keys/:keyId'],
  ['POST', '/keys/:keyIdAndAction'],
  ['GET', '/capabilities/:capabilityId'],
  ['POST', '/capabilities/query'],
  ['POST', '/catalog::import'],
  ['POST', '/sources/:sourceIdAndAction'],
  ['GET', '/admin/*'],
  ['PUT', '/admin/*'],
  ['GET', '/admin/tools/:toolId'],
] as const) {
  server.route({ method, url, handler: () => '' });
}

describe('the methods of a path', () => {
  it.each([
    ['/keys/1', ['DELETE', 'PATCH']],
    ['/keys/1:rotate', ['POST']],
    ['/keys/1:rotate?a=b', ['POST']],
    ['/capabilities/geo.distance', ['GET']],
    ['/capabilities/query', ['POST']],
    ['/catalog:import', ['POST']],
    ['/sources/1:refresh', ['POST']],
    ['/admin/tools/1', ['GET']],
    ['/admin/anything/else', ['GET', 'PUT']],
  ])('are those of the place that %s names', (path, methods) => {
    expect([path, table.allowedFor('OPTIONS', path), table.allowedFor('DELETE', path)]).toEqual([
      path,
      methods,
      methods,
    ]);
  });

  it.each(['/keys', '/sources/1', '/catalog', '/keys/1/2'])('are none where there is nothing: %s', (path) => {
    expect(table.allowedFor('DELETE', path)).toEqual([]);
  });

  it('are those of all paths for a method that none has', () => {
    expect(table.allowedFor('OPTIONS', '/nowhere')).toEqual(['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
  });
});
