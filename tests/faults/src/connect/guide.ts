import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@capability-router/tools-stack';

const DOCUMENT = 'docs/guides/finance.md';
const HEADING = '## Into a database, by Kafka Connect\n';

/** The steps of the guide of finance to a database, as they stand there. */
export interface ConnectGuide {
  /** Lines of the configuration of a worker. */
  readonly workerSettings: string;
  /** The command that makes the tables and the connectors. */
  readonly install: string;
  /** The command after which every record is written again. */
  readonly readAgain: string;
  /** Queries that find nothing where nothing is missing. */
  readonly completeness: readonly string[];
}

export async function readConnectGuide(): Promise<ConnectGuide> {
  const document = await readFile(join(workspaceRoot, DOCUMENT), 'utf8');
  const section = document.split(HEADING)[1]?.split(/^## /m)[0] ?? '';
  const blocks = (language: string): string[] =>
    [...section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
  const [workerSettings] = blocks('properties');
  const [install, readAgain] = blocks('sh');
  const [queries] = blocks('sql');
  if (workerSettings === undefined || install === undefined || readAgain === undefined || queries === undefined) {
    throw new Error(`${DOCUMENT} lacks a block below "${HEADING.trim()}"`);
  }
  const completeness = queries.split(';').filter((query) => query.trim() !== '');
  return { workerSettings, install, readAgain, completeness };
}
