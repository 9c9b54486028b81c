import { PassThrough, type Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { ExportSlots } from './export-slots.js';

const refused = expect.objectContaining({ httpStatus: 503 });

/** Answers with files that end when the test ends them. */
function exports() {
  const slots = new ExportSlots();
  const server = fastify();
  const files: PassThrough[] = [];
  const faults: unknown[] = [];
  server.get<{ Params: { account: string } }>('/:account', async (request, reply) => {
    const open = (): Promise<Readable> => {
      const file = new PassThrough();
      file.write('head\r\n');
      files.push(file);
      return Promise.resolve(file);
    };
    await slots.send(reply, request.params.account, 'x.csv', open).catch((error: unknown) => {
      faults.push(error);
      void reply.code(503).send();
    });
  });
  return { slots, files, faults, get: (account: string) => server.inject(`/${account}`).then((answer) => answer) };
}

describe('exports at the same time', () => {
  it('are four of one account, and free their place when they end', async () => {
    const { files, faults, get } = exports();
    const answers = ['a', 'a', 'a', 'a', 'b'].map((account) => get(account));
    while (files.length < 5) await new Promise(setImmediate);
    expect((await get('a')).statusCode).toBe(503);
    expect(faults).toEqual([refused]);
    for (const file of files) file.end();
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    const next = get('a');
    while (files.length < 6) await new Promise(setImmediate);
    files.at(-1)?.end();
    expect((await next).statusCode).toBe(200);
  });

  it('hold no place where nothing could be read', async () => {
    const slots = new ExportSlots();
    const fault = new Error('the database has gone');
    for (let tries = 0; tries < 10; tries += 1) {
      const sent = slots.send({} as never, 'a', 'x.csv', () => Promise.reject(fault));
      await expect(sent).rejects.toBe(fault);
    }
  });
});
