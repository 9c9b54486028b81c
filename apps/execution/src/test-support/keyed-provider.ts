import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpBinding, ProviderDefinition, ToolContract } from '@capability-router/contracts';
import { toolContract } from './tool-contract.js';

const text = { en: 'A provider of a test' };

/** A provider on the loopback that wants to know who calls, and tools of it. */
export interface KeyedProvider {
  readonly origin: string;
  readonly requests: IncomingMessage[];
  listener: RequestListener;
  /** A tool named `<provider>.<name>.get.v1`. */
  tool(
    providerId: string,
    name: string,
    over: Partial<HttpBinding>,
    provider?: Partial<ProviderDefinition>,
  ): ToolContract;
  close(): Promise<void>;
}

export async function startKeyedProvider(): Promise<KeyedProvider> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    provider.listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: KeyedProvider = {
    origin,
    requests,
    listener: (_request, response) => response.end('{"ok":true}'),
    tool: (providerId, name, over, definition = {}) =>
      toolContract({
        toolId: `${providerId}.${name}.get.v1`,
        providerId,
        provider: {
          providerId,
          name: text,
          description: text,
          egress: { allowHttp: true, allowNetworks: ['127.0.0.1/32'] },
          ...definition,
        },
        binding: {
          kind: 'http',
          method: 'GET',
          url: `${origin}/${name}`,
          placements: {},
          auth: { kind: 'bearer' },
          ...over,
        },
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}
