import { readFile } from 'node:fs/promises';
import { AppError } from '@capability-router/kernel';
import type { FastifyInstance } from 'fastify';
import { Assets, pageHeaders, SCRIPT_TYPE, STYLE_TYPE, type AssetSource } from '../assets/assets.js';
import { CONSOLE_ASSETS_PATH, CONSOLE_PATH, CONSOLE_POLICY, moduleNames, renderConsole, STYLE_NAME } from './page.js';

const headers = {
  ...pageHeaders(CONSOLE_POLICY),
  // A page that holds a key is not kept for the button that leads back to it.
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
};

/** The scripts are a project of their own, since browsers have other types than Node. */
const project = new URL('../../../console/', import.meta.url);
const source = (type: string, path: string): AssetSource => ({ type, read: () => readFile(new URL(path, project)) });
const assets = new Assets({
  ...Object.fromEntries(moduleNames.map((name) => [name, source(SCRIPT_TYPE, `dist/${name}`)])),
  [STYLE_NAME]: source(STYLE_TYPE, STYLE_NAME),
});

/** People type the path, so that a slash behind it leads to the page as well. */
export function mountConsole(server: FastifyInstance): void {
  const method = ['GET', 'HEAD'];
  server.route({
    method,
    url: CONSOLE_PATH,
    handler: (_request, reply) => reply.headers(headers).send(renderConsole()),
  });
  server.route({ method, url: `${CONSOLE_PATH}/`, handler: (_request, reply) => reply.redirect(CONSOLE_PATH, 308) });
  // One route for all assets, so that the metrics of requests have one series for them.
  server.route<{ Params: { name: string } }>({
    method,
    url: `${CONSOLE_ASSETS_PATH}/:name`,
    handler: (request, reply) => {
      const { name } = request.params;
      if (!assets.names.includes(name)) throw new AppError('not_found');
      return assets.send(name, request, reply);
    },
  });
}
