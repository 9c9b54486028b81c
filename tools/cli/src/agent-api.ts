import type { Answered, Client } from '@capability-router/client';
import { Gateway, isObject, type GlobalOptions } from './gateway/gateway.js';
import { clientFault } from './gateway/client-fault.js';
import type { Terminal } from './terminal.js';

/** A request by the client of the public interface. */
export type Send<Body> = (router: Client) => Promise<Answered<Body>>;

/** The whole answer of an endpoint of tools, or the data of any other. */
export type DataOf<Body> = Body extends { readonly data: infer Data; readonly status_code: number } ? Data : Body;

/** The API of agents, with their own key. Every method throws `CommandError`. */
export class AgentApi {
  constructor(private readonly gateway: Gateway) {}

  static from(options: GlobalOptions, terminal: Terminal): AgentApi {
    return new AgentApi(Gateway.from(options, terminal));
  }

  /** The gateway's address without the path of an API. */
  get url(): string {
    return this.gateway.url;
  }

  async request<Body>(send: Send<Body>): Promise<DataOf<Body>> {
    const { data, response } = await this.wait(send);
    if (!isObject(data)) throw this.gateway.noGateway(response.status);
    return (isObject(data['data']) && 'status_code' in data ? data['data'] : data) as DataOf<Body>;
  }

  /** Whatever the client gives. */
  async wait<T>(work: (router: Client) => Promise<T>): Promise<T> {
    try {
      return await work(await this.gateway.router());
    } catch (error) {
      throw clientFault(error, this.gateway);
    }
  }
}
