import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HttpBinding } from '@capability-router/contracts';
import { ProviderChannels, type ProviderChannelsOptions } from '../channels/provider-channels.js';
import { Authorizer } from '../credentials/authorizer.js';
import { credentialsInMemory, type ProviderCredential } from '../credentials/credential-source.js';
import { HttpAdapter } from '../http/http-adapter.js';
import { JsonPathPool } from '../jsonpath/json-path-pool.js';
import type { ProviderAnswer, ProviderRequest } from '../provider-adapter.js';
import { httpBinding, requestOf } from './provider-request.js';
import { sendJson, startStub, type StubServer } from './stub-server.js';

export interface AdapterParts {
  readonly adapter: HttpAdapter;
  readonly channels: ProviderChannels;
}

/** An HTTP provider of a test and adapters that call it. */
export class HttpStage {
  /** The provider's behaviour on a request. */
  listener: RequestListener = () => undefined;
  /** The lines that an operator would read. */
  readonly reports: string[] = [];
  private readonly open: ProviderChannels[] = [];
  private readonly jsonPaths = new JsonPathPool({ timeoutMs: 2_000 });

  private constructor(private readonly stub: { server: StubServer | undefined }) {}

  static async start(): Promise<HttpStage> {
    const stub: { server: StubServer | undefined } = { server: undefined };
    const stage = new HttpStage(stub);
    stub.server = await startStub((request, response) => stage.listener(request, response));
    return stage;
  }

  get server(): StubServer {
    if (this.stub.server === undefined) throw new Error('the stage has not started');
    return this.stub.server;
  }

  /** `credential`: that of the provider `demo`. */
  adapterWith(credential?: ProviderCredential, options: ProviderChannelsOptions = {}): AdapterParts {
    return this.adapterWithAll(credential === undefined ? {} : { demo: credential }, options);
  }

  /** `credentials`: by provider, or `provider/account`. */
  adapterWithAll(
    credentials: Readonly<Record<string, ProviderCredential>>,
    options: ProviderChannelsOptions = {},
  ): AdapterParts {
    const channels = new ProviderChannels(options);
    this.open.push(channels);
    const source = credentialsInMemory(credentials);
    const authorizer = new Authorizer(source, () => undefined);
    const report = (_toolId: string, error: unknown): void => void this.reports.push(String(error));
    return { adapter: new HttpAdapter({ channels, authorizer, jsonPaths: this.jsonPaths, report }), channels };
  }

  call(
    binding: Partial<HttpBinding> & { path?: string },
    parameters: ProviderRequest['parameters'] = {},
    over: Partial<Omit<ProviderRequest, 'binding'>> = {},
    { adapter }: AdapterParts = this.adapterWith(),
  ): Promise<ProviderAnswer> {
    const { path = '/', ...rest } = binding;
    return adapter.call(requestOf(httpBinding(`${this.server.origin}${path}`, rest), { parameters, ...over }));
  }

  /** Closes what adapters of a test have opened. */
  async reset(): Promise<void> {
    await Promise.all(this.open.splice(0).map((channels) => channels.close()));
  }

  async stop(): Promise<void> {
    await this.reset();
    await Promise.all([this.stub.server?.close(), this.jsonPaths.close()]);
  }
}

export const credentialOf = (fields: Record<string, string>): ProviderCredential => ({ fields, version: '1' });

/** Answers with what came in. */
export const echo: RequestListener = (request, response) => {
  void text(request).then((body) =>
    sendJson(response, { url: request.url, method: request.method, body, headers: request.headers }),
  );
};
