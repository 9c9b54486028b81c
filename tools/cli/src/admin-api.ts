import { Gateway, isObject, objectIn, type Data, type GlobalOptions } from './gateway/gateway.js';
import { refusal, refusalOf } from './gateway/refusal.js';
import { linesOf } from './lines.js';
import type { Terminal } from './terminal.js';

export type { Data, GlobalOptions } from './gateway/gateway.js';

const PATH = '/admin/v1';
const SCOPE = 'admin';

/** The admin API of a gateway. Every method throws `CommandError`. */
export class AdminApi {
  private constructor(private readonly gateway: Gateway) {}

  static from(options: GlobalOptions, terminal: Terminal): AdminApi {
    return new AdminApi(Gateway.from(options, terminal, SCOPE));
  }

  /** `data` of the answer. */
  async request(
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Data> {
    const { response, answer } = await this.gateway.exchange(method, `${PATH}${path}`, body, headers);
    if (!response.ok) throw refusal(this.gateway, response.status, answer, { neededScope: SCOPE });
    return isObject(answer['data']) ? answer['data'] : {};
  }

  /** Sends rows of an import, and gives the lines of its report as they come: the last is its summary, or says what went wrong. */
  async *import(path: string, rows: AsyncIterable<Uint8Array>, contentType: string): AsyncGenerator<Data> {
    const headers = { 'content-type': contentType };
    const { response, chunks } = await this.gateway.open('POST', `${PATH}${path}`, rows, headers);
    if (!response.ok) throw await refusalOf(this.gateway, { response, chunks }, SCOPE);
    for await (const line of linesOf(chunks)) {
      const told = objectIn(line);
      if (told === undefined) throw this.gateway.noGateway(response.status);
      yield told;
    }
  }
}
