import { namesEtag } from '@capability-router/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assetNames, assetOf } from './assets.js';
import { ASSETS_PATH, PAGE_POLICY, referencePages, renderReference } from './page.js';

const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_POLICY,
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** The documents of the interface as people read them. */
export function mountReference(server: FastifyInstance): void {
  for (const [path, page] of Object.entries(referencePages)) {
    server.get(path, (_request, reply) => reply.headers(pageHeaders).send(renderReference(page)));
  }
  for (const name of assetNames) {
    server.get(`${ASSETS_PATH}/${name}`, (request, reply) => sendAsset(name, request, reply));
  }
}

async function sendAsset(name: string, { headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { type, etag, plain, zipped } = await assetOf(name);
  // Asked for again with every page, so that no page of one version runs the script of another.
  void reply.headers({
    etag,
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  });
  if (namesEtag(headers['if-none-match'], etag)) return reply.code(304).send();
  const takesZipped = /\bgzip\b(?!\s*;\s*q=0(\.0+)?\b)/i.test(String(headers['accept-encoding'] ?? ''));
  if (!takesZipped) return reply.type(type).send(plain);
  return reply.type(type).header('content-encoding', 'gzip').send(zipped);
}
