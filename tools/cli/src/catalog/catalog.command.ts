import { Command } from 'commander';
import type { GlobalOptions } from '../admin-api.js';
import { importRows, ROWS_ARGUMENT } from '../imports/import-rows.js';
import type { Terminal } from '../terminal.js';

/** `caprouter catalog …`: providers and tools in large numbers. */
export function catalogCommand(terminal: Terminal): Command {
  const catalog = new Command('catalog').description('providers and tools in large numbers');
  catalog
    .command('import')
    .description(
      'make providers and tools what rows say; a broken row stops no other, and sending them again changes nothing',
    )
    .argument(...ROWS_ARGUMENT)
    .option('--dry-run', 'say what would become of them, and change nothing')
    .action(async (file: string, { dryRun }: { readonly dryRun?: true }, command: Command) => {
      const rows = { path: '/catalog:import', file, dryRun: dryRun === true };
      await importRows(rows, command.optsWithGlobals<GlobalOptions>(), terminal);
    });
  return catalog;
}
