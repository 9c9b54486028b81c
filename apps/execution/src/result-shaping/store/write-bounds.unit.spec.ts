import { afterEach, describe, expect, it } from '@jest/globals';
import { NotKept, TookTooLong, WriteBounds } from './write-bounds.js';

const MEBIBYTE = 1_048_576;

interface Write {
  readonly result: Promise<void>;
  readonly succeed: () => void;
  readonly fail: () => void;
  undone: number;
}

const begun: Write[] = [];
afterEach(() => {
  for (const { succeed } of begun.splice(0)) succeed();
});

function begin(bounds: WriteBounds, sizeBytes = 1, waitMs = 60_000): Write {
  let succeed: () => void = () => undefined;
  let fail: () => void = () => undefined;
  const work = new Promise<void>((resolve, reject) => {
    succeed = resolve;
    fail = () => reject(new Error('away'));
  });
  const undo = (): Promise<void> => {
    write.undone += 1;
    return Promise.resolve();
  };
  const result = bounds.run({ sizeBytes, waitMs }, () => work, undo);
  result.catch(() => undefined);
  const write: Write = { result, succeed, fail, undone: 0 };
  begun.push(write);
  return write;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('writes to the result store', () => {
  it('end as they end, and are not undone', async () => {
    const bounds = new WriteBounds();
    const [good, bad] = [begin(bounds), begin(bounds)];
    good.succeed();
    bad.fail();
    await good.result;
    await expect(bad.result).rejects.toThrow('away');
    await settled();
    expect([good.undone, bad.undone, bounds.inFlight]).toEqual([0, 0, 0]);
  });

  it('are waited for no longer than they may take, and undone when they succeed after that', async () => {
    const bounds = new WriteBounds();
    const [late, never] = [begin(bounds, 1, 10), begin(bounds, 1, 10)];
    await expect(late.result).rejects.toThrow(TookTooLong);
    await expect(never.result).rejects.toThrow(TookTooLong);
    expect(bounds.inFlight).toBe(2);
    late.succeed();
    never.fail();
    await settled();
    expect([late.undone, never.undone, bounds.inFlight]).toEqual([1, 0, 0]);
  });

  it('are not begun when there is no time left', async () => {
    const bounds = new WriteBounds();
    await expect(begin(bounds, 1, 0).result).rejects.toThrow(TookTooLong);
    expect(bounds.inFlight).toBe(0);
  });

  it('are bounded in number and in bytes, but one alone may have any size', async () => {
    const bounds = new WriteBounds();
    const large = begin(bounds, 200 * MEBIBYTE);
    await expect(begin(bounds).result).rejects.toThrow(NotKept);
    large.succeed();
    await large.result;
    const many = Array.from({ length: 64 }, () => begin(bounds));
    await expect(begin(bounds).result).rejects.toThrow(NotKept);
    many[0]?.succeed();
    await many[0]?.result;
    begin(bounds);
    expect(bounds.inFlight).toBe(64);
  });

  it('are refused at once while many hang, and go on when one of those ends', async () => {
    const bounds = new WriteBounds();
    const hanging = Array.from({ length: 8 }, () => begin(bounds, 1, 5));
    await Promise.allSettled(hanging.map(({ result }) => result));
    await expect(begin(bounds).result).rejects.toThrow(NotKept);
    hanging[0]?.fail();
    await settled();
    const next = begin(bounds);
    next.succeed();
    await next.result;
  });
});
