import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { Assets, SCRIPT_TYPE, STYLE_TYPE, type AssetSource } from '../assets/assets.js';
import { pageHeaders } from '../assets/page-headers.js';
import { CONSOLE_ASSETS_PATH, CONSOLE_PATH, CONSOLE_POLICY, moduleNames, renderConsole, STYLE_NAME } from './page.js';
import { style } from './style.js';

const headers = {
  ...pageHeaders(CONSOLE_POLICY),
  // A page that holds a key is not kept for the button that leads back to it.
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
};

/** A project of its own has them, since browsers have other types than Node. */
const scripts = new URL('../../../console/dist/', import.meta.url);
const moduleSource = (name: string): AssetSource => ({
  type: SCRIPT_TYPE,
  read: () => readFile(new URL(name, scripts)),
});
const assets = new Assets({
  ...Object.fromEntries(moduleNames.map((name) => [name, moduleSource(name)])),
  [STYLE_NAME]: { type: STYLE_TYPE, read: () => Promise.resolve(Buffer.from(style)) },
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
  for (const name of assets.names) {
    server.route({
      method,
      url: `${CONSOLE_ASSETS_PATH}/${name}`,
      handler: (request, reply) => assets.send(name, request, reply),
    });
  }
}
