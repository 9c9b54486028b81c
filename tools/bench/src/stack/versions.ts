import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { postgresVersion } from '../settlement/embedded-site.js';

/** The versions of the servers of a stack. */
export async function stackVersions(db: pg.Pool): Promise<string[]> {
  return [await postgresVersion(db), `Kafka ${kafkaVersion()}`];
}

function kafkaVersion(): string {
  const home = process.env['KAFKA_HOME'];
  const folder = home === undefined || home === '' ? process.env['KAFKA_LIBS_DIR'] : join(home, 'libs');
  const jar = folder === undefined ? undefined : readdirSync(folder).find((name) => name.startsWith('kafka-clients-'));
  return jar?.replace(/^kafka-clients-|\.jar$/g, '') ?? 'of unknown version';
}
