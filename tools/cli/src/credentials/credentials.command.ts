import { Command } from 'commander';
import { AdminApi, type Data, type GlobalOptions } from '../admin-api.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';
import { readFields } from './read-fields.js';

interface Item {
  readonly provider_id: string;
  readonly fields: readonly { readonly field: string; readonly key_id: string; readonly set_at: string }[];
}

/** `caprouter credentials …`: what providers are shown, set by whoever runs the deployment. */
export function credentialsCommand(terminal: Terminal): Command {
  const credentials = new Command('credentials').description("the deployment's credentials for providers");
  const { out } = terminal;

  credentials
    .command('set')
    .description('set all fields of the credentials for a provider; what was there is replaced')
    .argument('<provider>', 'id of the provider')
    .option('--field <name>', 'the one field whose value is read, as it is, without its last line break')
    .option('--file <path>', 'read this file instead of standard input')
    .addHelpText(
      'after',
      '\nWithout --field, a JSON object of the fields is read, e.g. {"username": "…", "password": "…"}.\n' +
        'Fields: api_key; token; username and password; client_id and client_secret: as the tools of the provider declare.',
    )
    .action(async (providerId: string, options: { field?: string; file?: string }, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const api = AdminApi.from(global, terminal);
      const data = await api.request('PUT', pathOf(providerId), { fields: await readFields(options, terminal) });
      print(global, data, () => out(`set: ${describe(data as unknown as Item)}`));
    });

  credentials
    .command('list')
    .description('which fields are set, with which key and since when; values are never shown')
    .argument('[provider]', 'id of one provider')
    .action(async (providerId: string | undefined, _options: unknown, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const api = AdminApi.from(global, terminal);
      if (providerId !== undefined) {
        const data = await api.request('GET', pathOf(providerId));
        print(global, data, () => out(describe(data as unknown as Item)));
        return;
      }
      const { items, last } = await listAll(api);
      print(global, { ...last, items }, () => {
        for (const item of items) out(describe(item));
        if (items.length === 0) out('no credentials are set');
        const sealedWith = last['sealed_with'] as { key_id: string; credentials: number; known: boolean }[];
        for (const { key_id: id, credentials: count, known } of sealedWith) {
          const notes = [id === last['current_key_id'] ? 'current' : '', known ? '' : 'NOT CONFIGURED'].filter(Boolean);
          out(
            `key ${id}${notes.length === 0 ? '' : ` (${notes.join(', ')})`} seals ${count}, those of accounts included`,
          );
        }
      });
    });

  credentials
    .command('delete')
    .description('delete the credentials for a provider; its tools answer oauth_signin_required from then on')
    .argument('<provider>', 'id of the provider')
    .action(async (providerId: string, _options: unknown, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const data = await AdminApi.from(global, terminal).request('DELETE', pathOf(providerId));
      print(global, data, () => out(data['deleted'] === true ? `deleted: ${providerId}` : `${providerId} had none`));
    });

  credentials
    .command('rotate')
    .description('seal everything with the current key, those of accounts included; can be repeated at any time')
    .action(async (_options: unknown, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const done = await rotateAll(AdminApi.from(global, terminal));
      print(global, { ...done }, () => out(`sealed with key ${done.current_key_id}: ${done.resealed}`));
      if (done.unreadable_count === 0) return;
      const named = done.unreadable.map(
        (one) =>
          `${String(one['owner'])} ${String(one['provider_id'])}: ${String(one['reason'])}, key ${String(one['key_id'])}`,
      );
      const message = `${done.unreadable_count} could not be opened and stay as they are`;
      throw new CommandError(exitCodes.failed, message, [...named, 'Configure their keys again, or set them anew.']);
    });

  return credentials;

  function print(global: GlobalOptions, data: Data, forPeople: () => void): void {
    if (global.json === true) out(JSON.stringify(data));
    else forPeople();
  }
}

const pathOf = (providerId: string): string => `/providers/${encodeURIComponent(providerId)}/credentials`;

function describe({ provider_id: providerId, fields }: Item): string {
  const [first] = fields;
  if (first === undefined) return `${providerId}  none set`;
  return `${providerId}  ${fields.map(({ field }) => field).join(', ')}  key ${first.key_id}  since ${first.set_at}`;
}

async function listAll(api: AdminApi): Promise<{ items: Item[]; last: Data }> {
  const items: Item[] = [];
  for (let after = ''; ;) {
    const page = await api.request('GET', `/provider-credentials?limit=500&after=${encodeURIComponent(after)}`);
    items.push(...(page['items'] as Item[]));
    if (typeof page['next_after'] !== 'string') return { items, last: page };
    after = page['next_after'];
  }
}

interface Rotated {
  readonly current_key_id: string;
  readonly resealed: number;
  readonly unreadable_count: number;
  readonly unreadable: readonly Data[];
}

/** Step by step, until the gateway says that nothing is left. */
async function rotateAll(api: AdminApi): Promise<Rotated> {
  let sum: Rotated = { current_key_id: '', resealed: 0, unreadable_count: 0, unreadable: [] };
  for (let after: unknown; ;) {
    const step = await api.request('POST', '/provider-credentials:rotate', after === undefined ? {} : { after });
    const { current_key_id, resealed, unreadable_count, unreadable } = step as unknown as Rotated;
    sum = {
      current_key_id,
      resealed: sum.resealed + resealed,
      unreadable_count: sum.unreadable_count + unreadable_count,
      unreadable: [...sum.unreadable, ...unreadable],
    };
    after = step['next_after'];
    if (after === undefined) return sum;
  }
}
