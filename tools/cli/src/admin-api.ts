import { Gateway, isObject, objectIn, type Data, type GlobalOptions } from './gateway/gateway.js';
import { refusal } from './gateway/refusal.js';
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
    if (!response.ok) throw refusal(response.status, answer, SCOPE);
    return isObject(answer['data']) ? answer['data'] : {};
  }

  /** Sends rows of an import, and gives the lines of its report: the last is its summary, or says what went wrong. */
  async import(path: string, rows: Buffer, contentType: string): Promise<readonly Data[]> {
    const headers = { 'content-type': contentType };
    const { text, response } = await this.gateway.send('POST', `${PATH}${path}`, rows, headers);
    const lines = text.split('\n').filter(Boolean).map(objectIn);
    const known = lines.filter((line) => line !== undefined);
    if (response.ok && known.length === lines.length) return known;
    throw response.ok ? this.gateway.noGateway(response.status) : refusal(response.status, objectIn(text) ?? {}, SCOPE);
  }
}
