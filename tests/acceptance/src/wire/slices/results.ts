import { admin, newAccount } from '../../support/accounts.js';
import { execute } from '../../support/execute.js';
import type { CallOptions, Reply } from '../../support/http.js';
import { asObject, asString } from '../../support/json.js';
import type { Slice } from '../slice.js';

/** The link to a full result, which needs no key. */
export const results: Slice = {
  name: 'results',
  async run(wire, provider) {
    const { key, accountId } = await newAccount(20);
    wire.caller('anna', key);
    const { json } = await execute(
      key,
      { toolId: provider.idOf('list'), parameters: { size: 5 } },
      { max_response_size: 20 },
    );
    const { pathname } = new URL(asString(asObject(json['result'])['full_content_file_url'], 'the link'));
    // `fetch` would ask for a compressed answer by itself.
    const ask = (title: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> => {
      const options: CallOptions = { headers: { 'accept-encoding': 'identity', ...headers } };
      return wire.ask(title, method, path, { ...options, showLength: true });
    };
    const whole = await ask('the whole', pathname);
    const etag = whole.headers.get('etag') ?? '';
    await ask('its head', pathname, {}, 'HEAD');
    await ask('its beginning', pathname, { range: 'bytes=0-9' });
    await ask('its end', pathname, { range: 'bytes=-5', 'if-range': etag });
    await ask('the whole, as it is another now', pathname, { range: 'bytes=0-9', 'if-range': '"another"' });
    await ask('behind its end', pathname, { range: 'bytes=100000-' });
    await ask('a range that is none', pathname, { range: 'lines=0-1' });
    await ask('nothing, as it is known', pathname, { 'if-none-match': etag });
    const altered = pathname.slice(0, -1) + (pathname.endsWith('A') ? 'B' : 'A');
    await ask('a link that was altered', altered);
    await ask('a link that is none', '/api/v1/results/nothing');
    await ask('another method', pathname, {}, 'DELETE');
    await admin('DELETE', `/accounts/${accountId}`);
    const isGone = ({ status }: Reply): boolean => status === 410;
    await wire.ask('of an account that was erased', 'GET', pathname, { until: isGone });
    await wire.ask('the head of what is gone', 'HEAD', pathname);
  },
};
