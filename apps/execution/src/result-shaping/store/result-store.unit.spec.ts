import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startS3Server, type S3Server } from '../../test-support/s3-server.js';
import { DirectoryStore } from './directory-store.js';
import { conformsToResultStore, contentOf, newKey, PAGE_OBJECTS } from './result-store.conformance.js';
import { nameOf } from './result-store.js';
import { S3Store, type S3StoreOptions } from './s3-store.js';

describe('a directory of results', () => {
  let directory: string;
  let store: DirectoryStore;
  beforeAll(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'results-')), 'nested');
    store = new DirectoryStore(directory, PAGE_OBJECTS);
  });
  afterAll(() => rm(join(directory, '..'), { recursive: true }));

  conformsToResultStore(() => store);

  it('is for its owner only, and leaves neither parts nor empty folders', async () => {
    const key = newKey();
    await store.save(key, Buffer.from('x'));
    expect(await readdir(join(directory, key.accountId))).toEqual([`${key.executionId}.json`]);
    const mode = async (name: string): Promise<number> => (await stat(join(directory, name))).mode & 0o777;
    expect([await mode(nameOf(key)), await mode(key.accountId)]).toEqual([0o600, 0o700]);
    await store.remove(nameOf(key));
    expect(await readdir(directory)).not.toContain(key.accountId);
  });

  it('lists what a crash has left and what older builds kept at the root', async () => {
    const key = newKey();
    await store.save(key, Buffer.from('x'));
    await writeFile(join(directory, key.accountId, 'left.tmp'), 'pa');
    await writeFile(join(directory, 'exec_old.json'), 'old');
    const { objects } = await store.list({ after: 'b' });
    expect(objects).toMatchObject([{ name: 'exec_old.json', sizeBytes: 3 }]);
    const own = await store.list({ accountId: key.accountId });
    expect(own.objects.map(({ name }) => name).sort()).toEqual([nameOf(key), `${key.accountId}/left.tmp`].sort());
  });
});

describe('a bucket of results', () => {
  let server: S3Server;
  let store: S3Store;
  const stores: S3Store[] = [];
  const storeOf = (over: Partial<S3StoreOptions> = {}): S3Store => {
    const { endpoint, bucket } = server;
    const options = {
      bucket,
      prefix: 'kept/',
      region: 'us-east-1',
      endpoint,
      pathStyle: true,
      timeoutMs: 60_000,
    } as const;
    stores.push(new S3Store({ ...options, pageObjects: PAGE_OBJECTS, ...over }));
    return stores.at(-1) as S3Store;
  };
  beforeAll(async () => {
    server = await startS3Server();
    store = storeOf();
  });
  afterAll(async () => {
    for (const one of stores) one.close();
    await server.close();
  });

  conformsToResultStore(() => store);

  it('keeps to its prefix', async () => {
    const [key, other] = [newKey(), storeOf({ prefix: 'other/' })];
    await store.save(key, Buffer.from('x'));
    expect(await other.open(key)).toBeUndefined();
    expect((await other.list({})).objects).toEqual([]);
    await other.remove(nameOf(key));
    expect(await contentOf(store, key)).toBe('x');
  });

  it('is no place that only looks empty when there is no such bucket', async () => {
    const key = newKey();
    const missing = storeOf({ bucket: 'there-is-none' });
    await expect(missing.save(key, Buffer.from('x'))).rejects.toMatchObject({ name: 'NoSuchBucket' });
    await expect(missing.list({})).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  describe('that fails', () => {
    let failing: Server;
    let requests = 0;
    let answer: (respond: (status: number) => void) => void;
    beforeAll(async () => {
      failing = createServer((request, response) => {
        requests += 1;
        request.resume();
        answer((status) => response.writeHead(status).end());
      });
      await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => {
      failing.closeAllConnections();
      failing.close();
    });
    const broken = (timeoutMs: number) =>
      storeOf({ endpoint: `http://127.0.0.1:${(failing.address() as AddressInfo).port}`, timeoutMs });

    it('is no place without results when it refuses us', async () => {
      answer = (respond) => respond(403);
      const [refusing, key] = [broken(60_000), newKey()];
      for (const ask of [() => refusing.open(key), () => refusing.list({}), () => refusing.remove('x')]) {
        await expect(ask()).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
      }
    });

    it('is asked three times, and then it is a failure', async () => {
      answer = (respond) => respond(503);
      requests = 0;
      await expect(broken(60_000).save(newKey(), Buffer.from('x'))).rejects.toThrow();
      expect(requests).toBe(3);
    });

    it('is waited for within the time limit, whatever is asked of it', async () => {
      answer = () => undefined;
      const [silent, key] = [broken(200), newKey()];
      const save = () => silent.save(key, Buffer.from('x'));
      for (const ask of [save, () => silent.open(key), () => silent.list({}), () => silent.remove('x')]) {
        await expect(ask()).rejects.toMatchObject({ name: 'AbortError' });
      }
    });
  });
});
