import { Gateway, isObject, type Data, type GlobalOptions } from './gateway/gateway.js';
import { refusal } from './gateway/refusal.js';
import type { Terminal } from './terminal.js';

const PATH = '/api/v1';

export interface Answer {
  readonly status: number;
  readonly body: Data;
}

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

  /** The whole answer of an endpoint of tools, or the data of any other. */
  async request(
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Data> {
    const { response, answer } = await this.gateway.exchange(method, `${PATH}${path}`, body, headers);
    if (!response.ok) throw refusal(response.status, answer);
    return isObject(answer['data']) && 'status_code' in answer ? answer['data'] : answer;
  }
}

/** `?a=1&b=2` of the values that are given. */
export function queryOf(values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
