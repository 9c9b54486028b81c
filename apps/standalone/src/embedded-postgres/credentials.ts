import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.js';

const credentialsFileName = 'postgres-credentials.json';
const passwordBytes = 24;
const roles = ['administrator', 'owner', 'application'] as const;

/** Passwords of the three roles of the embedded database. */
export type Credentials = Readonly<Record<(typeof roles)[number], string>>;

/** Read from `DATA_DIR/postgres-credentials.json` (mode 0600), or generated and made durable before any server knows them. */
export async function loadCredentials(dataDir: string, clusterExists: boolean): Promise<Credentials> {
  const path = join(dataDir, credentialsFileName);
  if (existsSync(path)) return parse(path, readFileSync(path, 'utf8'));
  if (clusterExists) {
    throw new EmbeddedPostgresError(
      `${path} is missing, so nobody can log in to the database in ${join(dataDir, 'postgres')}. ` +
        'Restore the file from your backup together with the folder.',
    );
  }
  const password = (): string => randomBytes(passwordBytes).toString('base64url');
  const credentials: Credentials = { administrator: password(), owner: password(), application: password() };
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(credentials, null, 2));
    await file.sync();
  } finally {
    await file.close();
  }
  renameSync(temporary, path);
  return credentials;
}

function parse(path: string, text: string): Credentials {
  const value = JSON.parse(text) as Partial<Credentials>;
  const missing = roles.filter((role) => typeof value[role] !== 'string');
  if (missing.length > 0) throw new EmbeddedPostgresError(`${path} has no password for: ${missing.join(', ')}.`);
  return value as Credentials;
}
