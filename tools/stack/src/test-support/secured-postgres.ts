import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startScratchCluster } from '../parts/scratch-cluster.js';
import { Authority } from './certificates.js';

/** A server with TLS; PEM files are named by their paths. */
export interface SecuredPostgres {
  /** `postgres://…` of the superuser, without parameters. */
  readonly url: string;
  readonly caFile: string;
  readonly otherCaFile: string;
  /** Another certificate for the connections to come. */
  present(certificate: 'good' | 'expired' | 'none'): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 20;

export async function startSecuredPostgres(): Promise<SecuredPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'capability-router-tls-'));
  // The user of the server passes through.
  chmodSync(folder, 0o755);
  const authority = new Authority(folder, 'ca');
  const other = new Authority(folder, 'other-ca');
  const cluster = await startScratchCluster();
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const { rows } = await client.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`);
  const { uid, gid } = statSync(rows[0]?.folder ?? '');
  const files = { good: authority.issue('good'), expired: authority.issue('expired', { expired: true }) };
  for (const { key } of Object.values(files)) chownSync(key, uid, gid);
  return {
    url: cluster.url,
    caFile: authority.cert,
    otherCaFile: other.cert,
    async present(certificate) {
      const on = certificate !== 'none';
      const wanted = on ? files[certificate].cert : '';
      await client.query(`ALTER SYSTEM SET ssl = ${on ? 'on' : 'off'}`);
      if (certificate !== 'none') {
        await client.query(`ALTER SYSTEM SET ssl_cert_file = '${files[certificate].cert}'`);
        await client.query(`ALTER SYSTEM SET ssl_key_file = '${files[certificate].key}'`);
      }
      await client.query('SELECT pg_reload_conf()');
      for (;;) {
        const { rows: now } = await client.query<{ ssl: string; cert: string }>(
          `SELECT current_setting('ssl') AS ssl, current_setting('ssl_cert_file') AS cert`,
        );
        if (now[0]?.ssl === (on ? 'on' : 'off') && (!on || now[0].cert === wanted)) return;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
    async stop() {
      await client.end();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
