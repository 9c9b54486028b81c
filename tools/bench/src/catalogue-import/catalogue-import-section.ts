import { judged, megabytes, ms, table, whole } from '../report/markdown.js';
import type { CatalogueImportResult } from './measure-catalogue-import.js';

/** The bar of the design. */
const MAX_IMPORT_MS = 60_000;

const seconds = (value: number): string => (value / 1_000).toFixed(1);

export function catalogueImportSection(result: CatalogueImportResult): string {
  const { tools, first, again, dryRun, memory, restart } = result;
  const row = (what: string, run: CatalogueImportResult['dryRun'], cpu?: CatalogueImportResult['first']['cpu']) => [
    what,
    seconds(run.ms),
    whole(tools / (run.ms / 1_000)),
    cpu === undefined ? '' : cpu.node.toFixed(1),
    cpu === undefined ? '' : cpu.postgres.toFixed(1),
  ];
  return [
    `Standalone: ${whole(tools)} generated tools (${megabytes(first.bytes)} MB of NDJSON, ${whole(tools / 50)} providers) through the gateway by \`POST /admin/v1/catalog:import\`, from the first byte to the summary, every row reported as taken. What follows an import runs beside it and is in its CPU: the search index, and the copies by which execution runs tools. One run.`,
    table(
      ['', 's', 'tools/s', 'Node CPU s', 'PostgreSQL CPU s'],
      [
        row('dry run', dryRun),
        row('into an empty catalogue', first, first.cpu),
        row('the same again, nothing changed', again, again.cpu),
      ],
    ),
    `After the summary a search by its name found the last tool in ${ms(result.searchableMs)} ms, and a Call knew its parameters in ${ms(result.callableMs)} ms.`,
    `Memory of the Node process: ${megabytes(memory.before)} MB before (PSS), ${megabytes(memory.peak)} MB at its highest (RSS), ${megabytes(memory.after)} MB at rest after all three (PSS); ${megabytes(restart.memory)} MB after a restart. Ready after ${seconds(restart.fullMs)} s with the ${whole(tools)} tools, ${seconds(restart.emptyMs)} s without.`,
    `Bar: ${judged(`${whole(tools)} tools in under ${MAX_IMPORT_MS / 1_000} s`, first.ms < MAX_IMPORT_MS)}.`,
  ].join('\n\n');
}
