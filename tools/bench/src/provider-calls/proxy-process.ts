/** The baseline: a plain reverse proxy before the provider, which does nothing but pass on. */
import type { AddressInfo } from 'node:net';
import httpProxy from '@fastify/http-proxy';
import { fastify } from 'fastify';
import type { Listening, ProxyJob } from './loopback-processes.js';

/** As many as requests that wait for slow answers; its default of 128 would make them queue. */
const MAX_CONNECTIONS = 1_024;

process.once('message', (job: ProxyJob) => {
  void start(job).then((listening) => process.send?.(listening));
});

async function start({ upstream }: ProxyJob): Promise<Listening> {
  const proxy = fastify();
  await proxy.register(httpProxy, { upstream, undici: { connections: MAX_CONNECTIONS } });
  await proxy.listen({ host: '127.0.0.1', port: 0 });
  return { origin: `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}` };
}
