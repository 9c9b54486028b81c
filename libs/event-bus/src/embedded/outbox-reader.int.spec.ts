import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  appendToStream,
  eventTableSource,
  START_POSITION,
  type OutboxSource,
  type Position,
} from '@capability-router/event-store';
import { createScratchDatabase, untilReadable, type ScratchDatabase } from '@capability-router/event-store/testing';
import { OutboxReader, type GroupReader } from './outbox-reader.js';

const TOPIC = 'read-by-many';
const OTHER = 'read-by-nobody';

describe('groups that share the reading of an outbox', () => {
  let database: ScratchDatabase;
  /** Ids of the events that the database has handed out. */
  let handedOut: string[] = [];
  /** Awaited by each look after it has read. */
  let afterRead: () => Promise<void> = async () => undefined;
  const table = eventTableSource();
  const counted: OutboxSource = {
    ...table,
    async readAfter(db, after, limit, topics) {
      const page = await table.readAfter(db, after, limit, topics);
      handedOut.push(...page.events.map(({ id }) => id));
      await afterRead();
      return page;
    },
  };

  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  let streams = 0;
  /** Their numbers. */
  const append = async (count: number): Promise<void> => {
    streams += 1;
    const events = Array.from({ length: count }, (_, n) => ({
      type: 'Happened',
      topic: n % 3 === 2 ? OTHER : TOPIC,
      partitionKey: `key-${n}`,
      data: { stream: streams, n },
    }));
    await appendToStream(database.pool, 'registry', `stream-${streams}`, 0, events);
    await untilReadable(database.pool);
  };
  const newReader = (): OutboxReader => {
    handedOut = [];
    return new OutboxReader(TOPIC, { pool: database.pool, source: 'registry', outbox: counted });
  };
  const everything = async (): Promise<string[]> => {
    const { events } = await table.readAfter(database.pool, START_POSITION, 5_000, [TOPIC]);
    return events.map(({ id }) => id);
  };
  /** Reads until there is nothing more; the ids, and where it ended. */
  const readOut = async (
    group: GroupReader,
    from: Position,
    limit: number,
  ): Promise<{ ids: string[]; at: Position }> => {
    const ids: string[] = [];
    for (let at = from; ;) {
      const { events, position } = await group.readAfter(at, limit);
      if (position === at) return { ids, at };
      expect(events.length).toBeLessThanOrEqual(limit);
      ids.push(...events.map(({ id }) => id));
      at = position;
    }
  };

  it('get every event in order, whatever their pages, and take each from the database once', async () => {
    await append(300);
    const reader = newReader();
    const limits = [7, 50, 500];
    const groups = limits.map(() => reader.open(START_POSITION));
    const read = await Promise.all(groups.map((group, n) => readOut(group, START_POSITION, limits[n] ?? 1)));
    const all = await everything();
    expect(read.map(({ ids }) => ids)).toEqual([all, all, all]);
    expect([...handedOut].sort()).toEqual([...all].sort());
  });

  it('get what comes while they read at speeds of their own', async () => {
    const reader = newReader();
    const groups = [3, 11, 40].map((limit) => ({
      limit,
      reader: reader.open(START_POSITION),
      at: START_POSITION,
      ids: [] as string[],
    }));
    const step = async (group: (typeof groups)[number]): Promise<void> => {
      const { events, position } = await group.reader.readAfter(group.at, group.limit);
      group.ids.push(...events.map(({ id }) => id));
      group.at = position;
    };
    for (let round = 0; round < 20; round += 1) {
      // The first reads each round, the second every other one, the third every fourth.
      await Promise.all([append(30), ...groups.filter((_, n) => round % 2 ** n === 0).map(step)]);
    }
    for (const group of groups) group.ids.push(...(await readOut(group.reader, group.at, group.limit)).ids);
    const all = await everything();
    expect(groups.map(({ ids }) => ids)).toEqual([all, all, all]);
  });

  it('begin at positions of their own, before and behind what is kept', async () => {
    const reader = newReader();
    const all = await everything();
    const middle = (await table.readAfter(database.pool, START_POSITION, 100, [TOPIC])).position;
    const late = await readOut(reader.open(middle), middle, 30);
    reader.open(middle);
    const early = await readOut(reader.open(START_POSITION), START_POSITION, 30);
    expect(late.ids).toEqual(all.slice(100));
    expect(early.ids).toEqual(all);
    expect(early.at).toBe(late.at);
  });

  it('hear of an event that was committed before they asked, also where another look began before that', async () => {
    const reader = newReader();
    const [first, second] = [reader.open(START_POSITION), reader.open(START_POSITION)];
    const end = (await readOut(first, START_POSITION, 500)).at;
    await readOut(second, START_POSITION, 500);
    let ask: (() => void) | undefined;
    const looking = new Promise<void>((resolve) => (ask = resolve));
    let goOn: (() => void) | undefined;
    afterRead = () => {
      ask?.();
      afterRead = async () => undefined;
      return new Promise((resolve) => (goOn = resolve));
    };
    const before = first.readAfter(end, 500);
    await looking;
    await append(1);
    const after = second.readAfter(end, 500);
    goOn?.();
    expect((await before).events.length).toBeLessThanOrEqual(1);
    expect((await after).events.map(({ data }) => data)).toEqual([{ stream: streams, n: 0 }]);
  });

  it('keep nothing that all of them have read', async () => {
    const reader = newReader();
    const groups = [reader.open(START_POSITION), reader.open(START_POSITION), reader.open(START_POSITION)];
    const [one, two, idle] = groups;
    const at = (await readOut(one as GroupReader, START_POSITION, 50)).at;
    expect(reader.keptEvents).toBeGreaterThan(0);
    await readOut(two as GroupReader, START_POSITION, 50);
    expect(reader.keptEvents).toBeGreaterThan(0);
    idle?.close();
    await one?.readAfter(at, 50);
    expect(reader.keptEvents).toBe(0);
  });

  it('fail alike where the database cannot be read, and go on afterwards', async () => {
    const reader = newReader();
    const groups = [reader.open(START_POSITION), reader.open(START_POSITION)];
    afterRead = () => Promise.reject(new Error('the connection is lost'));
    const failed = await Promise.allSettled(groups.map((group) => group.readAfter(START_POSITION, 50)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    afterRead = async () => undefined;
    const all = await everything();
    for (const group of groups) expect((await readOut(group, START_POSITION, 50)).ids).toEqual(all);
  });
});
