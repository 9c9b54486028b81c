import { newAccount } from '../../support/accounts.js';
import type { CallOptions, Reply } from '../../support/http.js';
import { asObject, asString } from '../../support/json.js';
import type { ToolName } from '../corpus-provider.js';
import { settled, settledCall } from '../settled.js';
import type { Slice } from '../slice.js';

const path = '/api/v1/tools/execute';
const executions = '/api/v1/tools/executions';
/** Minted in January 2025: its UUIDv7 begins with the milliseconds. */
const oldId = `exec_0194205c0000${'7'.padEnd(20, '0')}`;
const idOfNow = (): string => `exec_${Date.now().toString(16).padStart(12, '0')}${'7'.padEnd(20, '0')}`;

/** The state of a call: by its id, by its Idempotency-Key, by its repetition. */
export const calls: Slice = {
  name: 'calls',
  async run(wire, provider) {
    const { key } = await newAccount(20);
    wire.caller('anna', key);
    wire.name('exec id of 2025', oldId);
    const other = await newAccount(1);
    wire.caller('ben', other.key);
    const keyed = (
      title: string,
      name: ToolName,
      idempotencyKey: string,
      more: CallOptions & { readonly repeats?: string } = {},
    ): Promise<Reply> =>
      wire.ask(title, 'POST', path, {
        key,
        body: { tool_id: provider.idOf(name), parameters: { size: 3 } },
        headers: { 'idempotency-key': idempotencyKey },
        ...more,
      });
    const byKey = (title: string, idempotencyKey: string, by = key): Promise<Reply> =>
      wire.ask(title, 'GET', `${executions}/by-idempotency-key?key=${idempotencyKey}`, { key: by });
    const byId = (title: string, id: string, until?: (reply: Reply) => boolean, by = key): Promise<Reply> =>
      wire.ask(title, 'GET', `${executions}/${id}`, { key: by, ...(until === undefined ? {} : { until }) });

    const first = await keyed('a call with a key', 'list', 'k-1');
    await keyed('the same again', 'list', 'k-1', { repeats: 'a call with a key' });
    await keyed('the same key for another body', 'count', 'k-1');
    await keyed('a refused call with a key', 'list', 'k-2', {
      body: { tool_id: provider.idOf('list'), parameters: {} },
    });
    await keyed('the refused call again', 'list', 'k-2', {
      body: { tool_id: provider.idOf('list'), parameters: {} },
      repeats: 'a refused call with a key',
    });
    await settled(key);
    await keyed('a failing call with a key', 'failing', 'k-3');
    await keyed('the failing call again', 'failing', 'k-3', { repeats: 'a failing call with a key' });
    await keyed('a key with a space', 'list', 'a b');
    await keyed('a key that is too long', 'list', 'k'.repeat(256));

    const waits = provider.hold();
    const running = wire.askUnrecorded('POST', path, {
      key,
      body: { tool_id: provider.idOf('held'), parameters: { size: 3 } },
      headers: { 'idempotency-key': 'k-4' },
    });
    await waits;
    await keyed('a key of a call that runs', 'held', 'k-4');
    await byKey('a call that runs, by its key', 'k-4');
    provider.release();
    await running;

    await settled(key);
    await byKey('a call by its key', 'k-1');
    await byKey('a refused call by its key', 'k-2');
    await byKey('a key that was never used', 'k-9');
    await byKey("another account's key", 'k-1', other.key);
    await byKey('no key', '');
    await byKey('a key with a space in the query', 'a%20b');

    const isSettled = ({ json }: Reply): boolean => asObject(json['data'])['settlement_state'] === 'settled';
    const id = asString(first.json['execution_id'], 'execution_id');
    await byId('a paid call', id, isSettled);
    await byId(
      'a failed call',
      await settledCall(key, provider, 'failing'),
      ({ json }) => asObject(json['data'])['settlement_state'] !== 'pending',
    );
    const refused = await settledCall(key, provider, 'list', { parameters: {} });
    await byId('a refused call', refused);
    await byId("another account's call", id, undefined, other.key);
    await byId('a call that could still begin', idOfNow());
    await byId('a call that never ran', oldId);
    await byId('an id that is none', 'exec_1');
  },
};
