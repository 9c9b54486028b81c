import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadExecutionConfig } from './config.js';

const folder = mkdtempSync(join(tmpdir(), 'execution-config-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'keys');
const key = (byte: string): string => byte.repeat(32);

const load = (env: NodeJS.ProcessEnv) =>
  loadExecutionConfig({
    EXECUTION_DATABASE_URL: 'postgres://localhost/execution',
    RESULT_LINK_KEY: 'k'.repeat(32),
    ...env,
  });

describe('the place of full results', () => {
  const sealed = { CREDENTIAL_KEYS: `k1:${key('a1')}` };
  const bucket = { ...sealed, RESULT_STORE: 's3', RESULT_STORE_S3_BUCKET: 'b' };

  it('is a directory, or a bucket where it is described', () => {
    expect(load({ ...sealed, RESULT_STORE_DIR: '/x' }).resultStore.place).toEqual({
      kind: 'directory',
      directory: '/x',
    });
    const env = { ...bucket, RESULT_STORE_S3_ENDPOINT: 'http://127.0.0.1:9000', RESULT_STORE_TIMEOUT_MS: '700' };
    expect(load({ ...env, RESULT_STORE_S3_PATH_STYLE: 'true' }).resultStore).toMatchObject({
      place: { kind: 's3', bucket: 'b', prefix: 'results/', pathStyle: true, timeoutMs: 700 },
      timeoutMs: 700,
    });
  });

  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['is a bucket without a name', { ...sealed, RESULT_STORE: 's3' }, 'RESULT_STORE_S3_BUCKET: is missing'],
    ['has a prefix that is no folder', { ...bucket, RESULT_STORE_S3_PREFIX: 'x' }, 'RESULT_STORE_S3_PREFIX: must end'],
    ['has half a credential', { ...bucket, AWS_ACCESS_KEY_ID: 'x' }, 'AWS_ACCESS_KEY_ID: set this and'],
    ['is of another kind', { ...sealed, RESULT_STORE: 'ftp' }, 'RESULT_STORE'],
  ])('keeps execution from starting where it %s', (_name, env, message) => {
    expect(() => load(env)).toThrow(message);
  });
});

describe('the keys that seal credentials', () => {
  it('come from the environment or from a file, the first one current', () => {
    writeFileSync(file, `# new\nk2:${key('b2')}\nk1:${key('a1')}\n`);
    expect(load({ CREDENTIAL_KEYS: `k1:${key('a1')}` }).credentialKeys.currentId).toBe('k1');
    const { credentialKeys } = load({ CREDENTIAL_KEYS_FILE: file, CREDENTIAL_KEYS: '' });
    expect(credentialKeys.currentId).toBe('k2');
    expect(credentialKeys.find('k1')).toBeDefined();
  });

  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['are missing', {}, 'CREDENTIAL_KEYS: set either this or CREDENTIAL_KEYS_FILE'],
    [
      'are given twice',
      { CREDENTIAL_KEYS: `k1:${key('a1')}`, CREDENTIAL_KEYS_FILE: '/x' },
      'CREDENTIAL_KEYS: set either',
    ],
    [
      'are in no file',
      { CREDENTIAL_KEYS_FILE: '/no/such/file' },
      'CREDENTIAL_KEYS_FILE: the file cannot be read (ENOENT)',
    ],
    ['are too short', { CREDENTIAL_KEYS: `k1:${key('a1').slice(2)}` }, 'CREDENTIAL_KEYS: the key "k1" is not 32 bytes'],
  ])('keep execution from starting where they %s, and are not repeated', (_name, env, message) => {
    expect(() => load(env)).toThrow(message);
    expect(() => load(env)).not.toThrow(/a1a1/);
  });
});
