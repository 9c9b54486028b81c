import type pg from 'pg';
import type { Logger } from 'pino';
import { USAGE_AUDIT_VERSION } from './domain/usage-row.js';
import { adoptEmpty, readLiveVersions } from './projection-versions.sql.js';

/** Projections that this build writes, and their versions. */
export const projectionVersions: Readonly<Record<string, number>> = { 'usage-audit': USAGE_AUDIT_VERSION };

export interface ProjectionVersion {
  readonly projection: string;
  /** The version that this build writes. */
  readonly code: number;
  /** The version at which the rows of before were built. */
  readonly live: number;
}

export async function readProjectionVersions(
  pool: pg.Pool,
  codes: Readonly<Record<string, number>> = projectionVersions,
): Promise<ProjectionVersion[]> {
  const rows = await readLiveVersions(pool, Object.keys(codes));
  return rows.flatMap(({ projection, version }) => {
    const code = codes[projection];
    return code === undefined ? [] : [{ projection, code, live: version }];
  });
}

/** Tells the operator, when billing starts, of projections whose rows another build made. It works with them all the same. */
export async function reportProjectionVersions(
  pool: pg.Pool,
  logger: Pick<Logger, 'warn'>,
  codes: Readonly<Record<string, number>> = projectionVersions,
): Promise<void> {
  await adoptEmpty(pool, codes['usage-audit']);
  for (const version of await readProjectionVersions(pool, codes)) {
    const { projection, code, live } = version;
    if (live < code) {
      logger.warn(
        version,
        `${projection}: its rows were built at version ${live}, this build writes version ${code}. When all replicas are of this build, run: caprouter projections rebuild ${projection}`,
      );
    }
    if (live > code) {
      logger.warn(
        version,
        `${projection}: its rows were built at version ${live}, this build writes the older version ${code}. Upgrade this replica, then run: caprouter projections rebuild ${projection}`,
      );
    }
  }
}
