import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { Assets, pageHeaders, SCRIPT_TYPE, STYLE_TYPE } from '../assets/assets.js';
import { ASSETS_PATH, PAGE_POLICY, referencePages, renderReference, START_SCRIPT } from './page.js';

const { resolve } = createRequire(import.meta.url);
const packaged = (name: string) => (): Promise<Buffer> => readFile(resolve(`swagger-ui-dist/${name}`));

/** The viewer's package has more files, which are not served. */
const assets = new Assets({
  'swagger-ui-bundle.js': { type: SCRIPT_TYPE, read: packaged('swagger-ui-bundle.js') },
  'swagger-ui.css': { type: STYLE_TYPE, read: packaged('swagger-ui.css') },
  'start.js': { type: SCRIPT_TYPE, read: () => Promise.resolve(Buffer.from(START_SCRIPT)) },
});

/** The documents of the interface as people read them. */
export function mountReference(server: FastifyInstance): void {
  for (const [path, page] of Object.entries(referencePages)) {
    server.get(path, (_request, reply) => reply.headers(pageHeaders(PAGE_POLICY)).send(renderReference(page)));
  }
  for (const name of assets.names) {
    server.get(`${ASSETS_PATH}/${name}`, (request, reply) => assets.send(name, request, reply));
  }
}
