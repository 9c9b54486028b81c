import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { AdminApi, type Data, type GlobalOptions } from '../admin-api.js';
import { importRows, ROWS_ARGUMENT } from '../imports/import-rows.js';
import { shown, table } from '../table.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

interface ListOptions {
  readonly status?: string;
  readonly limit?: string;
  readonly after?: string;
}

interface WriteOptions {
  readonly dryRun?: true;
  readonly allowBreaking?: true;
}

interface PutOptions extends WriteOptions {
  readonly file?: string;
}

/** `caprouter capabilities …`: the contracts of capabilities (CAP), and the tools that are bound to them. */
export function capabilitiesCommand(terminal: Terminal): Command {
  const capabilities = new Command('capabilities').description(
    'write, retire and compare the contracts of capabilities',
  );
  const { out } = terminal;
  const print = (global: GlobalOptions, data: Data, lines: () => readonly string[]): void => {
    for (const line of global.json === true ? [JSON.stringify(data)] : lines()) out(line);
  };

  capabilities
    .command('list')
    .description('contracts of one status, by id')
    .option('--status <status>', 'published (if left out) or retired')
    .option('--limit <rows>', '1 to 500; 100, if left out')
    .option('--after <id>', 'go on where a page ended')
    .action(async (options: ListOptions, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const { status, limit, after } = options;
      const given = Object.entries({ status, limit, after }).filter(([, value]) => value !== undefined);
      const query = new URLSearchParams(given as [string, string][]);
      const path = `/capabilities${query.size === 0 ? '' : `?${query.toString()}`}`;
      const data = await AdminApi.from(global, terminal).request('GET', path);
      print(global, data, () => listLines(data));
    });

  capabilities
    .command('show')
    .description('one contract with its versions, and whether its bindings fit the tools as they are now')
    .argument('<capability>', 'id of the capability')
    .action(async (id: string, _options: unknown, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const data = await AdminApi.from(global, terminal).request('GET', pathOf(id));
      print(global, data, () => shownLines(data));
    });

  capabilities
    .command('put')
    .description('make a contract what a file says; sending it again changes nothing')
    .argument('<capability>', 'id of the capability')
    .option('--file <path>', 'JSON; standard input, if left out')
    .option('--dry-run', 'say what would become of it, and change nothing')
    .option('--allow-breaking', 'also where the change breaks callers')
    .action(async (id: string, options: PutOptions, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const api = AdminApi.from(global, terminal);
      const path = `${pathOf(id)}${queryOf(options)}`;
      const data = await api.request('PUT', path, await readContract(options, terminal));
      print(global, data, () => [
        outcomeLine(data),
        ...changesLines(data['changes']),
        ...bindingLines(data['bindings']),
      ]);
    });

  capabilities
    .command('import')
    .description('make contracts what rows say; a broken row stops no other, and sending them again changes nothing')
    .argument(...ROWS_ARGUMENT)
    .option('--dry-run', 'say what would become of them, and change nothing')
    .option('--allow-breaking', 'also where a change breaks callers')
    .action(async (file: string, options: WriteOptions, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const query: Record<string, string> = options.allowBreaking === true ? { allow_breaking: 'true' } : {};
      const rows = { path: '/capabilities:import', file, dryRun: options.dryRun === true, query };
      await importRows(rows, global, terminal);
    });

  capabilities
    .command('diff')
    .description('what changed for callers from one version to another')
    .argument('<capability>', 'id of the capability')
    .argument('<from>', 'number of a version')
    .argument('<to>', 'number of a version')
    .action(async (id: string, from: string, to: string, _options: unknown, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const path = `${pathOf(id)}/versions/${encodeURIComponent(from)}/diff/${encodeURIComponent(to)}`;
      const data = await AdminApi.from(global, terminal).request('GET', path);
      print(global, data, () => {
        const lines = changesLines(data['changes']);
        return lines.length === 0 ? ['nothing changed'] : lines;
      });
    });

  action('retire', 'callers are not shown the contract any more; it stays as it is');
  action('restore', 'the contract comes back as it was');
  return capabilities;

  function action(name: string, description: string): void {
    capabilities
      .command(name)
      .description(description)
      .argument('<capability>', 'id of the capability')
      .action(async (id: string, _options: unknown, command: Command) => {
        const global = command.optsWithGlobals<GlobalOptions>();
        const data = await AdminApi.from(global, terminal).request('POST', `${pathOf(id)}:${name}`);
        print(global, data, () => [
          `${shown(data['capability_id'], '-')}  ${shown(data['status'], '-')}${data['changed'] === true ? '' : ', as before'}`,
        ]);
      });
  }
}

const pathOf = (id: string): string => `/capabilities/${encodeURIComponent(id)}`;

function queryOf({ dryRun, allowBreaking }: WriteOptions): string {
  const query = new URLSearchParams({
    ...(dryRun === true ? { dry_run: 'true' } : {}),
    ...(allowBreaking === true ? { allow_breaking: 'true' } : {}),
  });
  return query.size === 0 ? '' : `?${query.toString()}`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function readContract({ file }: PutOptions, { stdin }: Terminal): Promise<unknown> {
  try {
    return JSON.parse(file === undefined ? await text(stdin) : readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw new CommandError(exitCodes.usage, `the contract cannot be read: ${messageOf(error)}`);
  }
}

const columns = ['capability_id', 'status', 'source', 'contract_version', 'candidate_count', 'published_at'];

function listLines(data: Data): string[] {
  const items = data['items'] as Data[];
  if (items.length === 0) return ['no contracts'];
  const rows = items.map((item) => columns.map((column) => shown(item[column], '-')));
  const lines = table(['CAPABILITY', 'STATUS', 'SOURCE', 'VERSION', 'TOOLS', 'PUBLISHED'], rows);
  return typeof data['next_after'] === 'string' ? [...lines, `more: --after ${data['next_after']}`] : lines;
}

function shownLines(data: Data): string[] {
  const fields = ['capability_id', 'status', 'source', 'contract_version', 'schema_hash', 'effect'];
  const versions = (data['versions'] as Data[]).map(
    (version) =>
      `version ${shown(version['contract_version'], '-')}  ${shown(version['published_at'], '-')}${version['breaking'] === true ? '  breaking' : ''}`,
  );
  return [
    ...table(
      ['FIELD', 'VALUE'],
      fields.map((field) => [field, shown(data[field], '-')]),
    ),
    ...bindingLines(data['bindings']),
    ...versions,
  ];
}

function outcomeLine(data: Data): string {
  const { capability_id: id, result, contract_version: version, breaking, dry_run: dryRun } = data;
  const parts = [shown(id, '-'), shown(result, '-'), `version ${shown(version, '-')}`];
  if (breaking === true) parts.push('breaking');
  if (dryRun === true) parts.push('not written');
  return parts.join('  ');
}

const changesLines = (changes: unknown): string[] =>
  (Array.isArray(changes) ? (changes as Data[]) : []).map(
    ({ path, impact, reason }) => `${shown(impact, '-')}  ${shown(path, '-')}: ${shown(reason, '-')}`,
  );

const bindingLines = (bindings: unknown): string[] =>
  (Array.isArray(bindings) ? (bindings as Data[]) : []).map(({ tool_id: tool, status, faults }) => {
    const why = Array.isArray(faults) ? `  ${faults.map(String).join('; ')}` : '';
    return `binding  ${shown(tool, '-')}  ${shown(status, '-')}${why}`;
  });
