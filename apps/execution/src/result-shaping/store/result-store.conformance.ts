import { buffer, text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { newAccountId, newExecutionId } from '@capability-router/kernel';
import { nameOf, type OpenResult, type ResultKey, type ResultStore } from './result-store.js';

/** Objects of one page of the stores under test. */
export const PAGE_OBJECTS = 10;

export const newKey = (accountId = newAccountId(Date.now())): ResultKey => ({
  accountId,
  executionId: newExecutionId(Date.now()),
});

export async function contentOf(store: ResultStore, key: ResultKey): Promise<string | undefined> {
  const found = await store.open(key);
  return found === undefined ? undefined : text(await found.read());
}

async function opened(store: ResultStore, key: ResultKey): Promise<OpenResult> {
  const found = await store.open(key);
  if (found === undefined) throw new Error(`${nameOf(key)} is not there`);
  return found;
}

/** Holds an implementation to what every `ResultStore` does. */
export function conformsToResultStore(storeOf: () => ResultStore): void {
  const allOf = async (of: Parameters<ResultStore['list']>[0]): Promise<string[]> => {
    const names: string[] = [];
    for (let after = of.after; ;) {
      const { objects, next } = await storeOf().list({ ...of, after });
      names.push(...objects.map(({ name }) => name));
      if (next === undefined) return names;
      expect(objects.length).toBeGreaterThan(0);
      after = next;
    }
  };

  it('gives back what was saved, whole and in parts', async () => {
    const [store, key] = [storeOf(), newKey()];
    await store.save(key, Buffer.from('{"a":"好"}'));
    const found = await opened(store, key);
    expect(found.sizeBytes).toBe(11);
    await found.close();
    expect(await contentOf(store, key)).toBe('{"a":"好"}');
    const part = async (start: number, end: number): Promise<string> =>
      text(await (await opened(store, key)).read({ start, end }));
    expect([await part(0, 0), await part(2, 4), await part(10, 10)]).toEqual(['{', 'a":', '}']);
  });

  it('gives back megabytes and nothing byte by byte', async () => {
    const store = storeOf();
    for (const content of [Buffer.alloc(5_000_000, 'aé好😀'), Buffer.alloc(0)]) {
      const key = newKey();
      await store.save(key, content);
      const found = await opened(store, key);
      expect(found.sizeBytes).toBe(content.length);
      expect(content.equals(await buffer(await found.read()))).toBe(true);
    }
  });

  it("knows nothing of what was never saved, and of another account's", async () => {
    const [store, key] = [storeOf(), newKey()];
    expect(await store.open(key)).toBeUndefined();
    await store.save(key, Buffer.from('x'));
    expect(await store.open({ ...newKey(), executionId: key.executionId })).toBeUndefined();
  });

  it('refuses keys that could name something else', async () => {
    const key = newKey();
    for (const bad of ['../x', 'acc_', `${key.accountId}/x`, '']) {
      const forged = { ...key, accountId: bad } as ResultKey;
      await expect(storeOf().save(forged, Buffer.from('x'))).rejects.toThrow('not the key of a result');
      await expect(storeOf().open(forged)).rejects.toThrow('not the key of a result');
    }
  });

  it('is closed to a reader that does not read, and gives an open one all of it though it is removed', async () => {
    const [store, key] = [storeOf(), newKey()];
    await store.save(key, Buffer.from('x'.repeat(200_000)));
    await (await opened(store, key)).close();
    const reading = await (await opened(store, key)).read();
    await store.remove(nameOf(key));
    expect((await text(reading)).length).toBe(200_000);
  });

  it('removes one and only that one, and takes no offence at what is gone', async () => {
    const [store, one] = [storeOf(), newKey()];
    const other = newKey(one.accountId);
    await store.save(one, Buffer.from('1'));
    await store.save(other, Buffer.from('2'));
    await store.remove(nameOf(one));
    await store.remove(nameOf(one));
    await store.remove(nameOf(newKey()));
    expect([await contentOf(store, one), await contentOf(store, other)]).toEqual([undefined, '2']);
  });

  it('keeps the last of writes that race with removals', async () => {
    const [store, key] = [storeOf(), newKey()];
    const kept = newKey(key.accountId);
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([store.remove(nameOf(key)), store.save(kept, Buffer.from(`${round}`))]);
      await store.remove(nameOf(kept));
    }
    await store.save(kept, Buffer.from('kept'));
    expect(await contentOf(store, kept)).toBe('kept');
  });

  it('lists by name, page by page, with size and time, all or those of one account', async () => {
    const store = storeOf();
    const [few, many] = [newKey(), newKey()];
    const keys = [few, ...Array.from({ length: 2 * PAGE_OBJECTS + 3 }, () => newKey(many.accountId))];
    const startedMs = Date.now();
    await Promise.all(keys.map((key) => store.save(key, Buffer.from('xyz'))));
    const own = keys.filter(({ accountId }) => accountId === many.accountId).map(nameOf);
    expect(await allOf({ accountId: many.accountId })).toEqual([...own].sort());
    expect(await allOf({ accountId: few.accountId })).toEqual([nameOf(few)]);
    expect(await allOf({ accountId: newAccountId(0) })).toEqual([]);
    const all = await allOf({});
    expect(all).toEqual([...all].sort());
    expect(new Set(all)).toEqual(new Set([...all, ...keys.map(nameOf)]));
    const { objects } = await store.list({ accountId: few.accountId });
    expect(objects).toMatchObject([{ sizeBytes: 3 }]);
    // A clock that counts in seconds may be behind.
    expect(Math.abs((objects[0]?.writtenMs ?? 0) - startedMs)).toBeLessThan(120_000);
  });
}
