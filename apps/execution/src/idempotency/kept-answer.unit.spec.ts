import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newAccountId, newExecutionId, type JsonObject } from '@capability-router/kernel';
import { createLogger } from '@capability-router/service-kit';
import { DirectoryStore } from '../result-shaping/store/directory-store.js';
import { nameOf } from '../result-shaping/store/result-store.js';
import type { KeptAnswer } from '../call/request/domain/key-claim.js';
import { AnswerKeeper } from './kept-answer.js';

const RESULT_LIFETIME_MS = 7_200_000;
const MAX_ANSWER_BYTES = 32_768;
const NO_LIMIT = Number.POSITIVE_INFINITY;
const accountId = newAccountId(0);
const executionId = newExecutionId(0);
const clock = { nowMs: () => nowMs };
let nowMs = 0;
let directory = '';
let store: DirectoryStore;

const keeperOn = (results: DirectoryStore): AnswerKeeper =>
  new AnswerKeeper(
    results,
    { linkTo: (key, expiresAtMs) => `https://tools.example.com/${key.executionId}/${expiresAtMs}` },
    {
      idempotency: { maxAnswerBytes: MAX_ANSWER_BYTES, keyLifetimeMs: 86_400_000 },
      resultStore: { lifetimeMs: RESULT_LIFETIME_MS },
    },
    clock,
    createLogger('execution', 'silent'),
  );

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kept-answers-'));
  store = new DirectoryStore(directory);
});
afterAll(() => rm(directory, { recursive: true }));
beforeEach(() => {
  nowMs = Date.now();
});

const found = (kept: KeptAnswer) => ({
  accountId,
  executionId,
  body: JSON.parse(kept.body) as JsonObject,
  keptAs: kept.keptAs,
  keptAtMs: nowMs,
});
const answerWith = (result: JsonObject): JsonObject => ({
  execution_id: executionId,
  result,
  success: true,
  cost: 0.25,
});

describe('an answer kept for its key', () => {
  it('comes back as it was, whatever characters are in it', async () => {
    const answer = answerWith({ data: 'a\u0000b\ud800c "é" \u{1F600}' });
    const kept = await keeperOn(store).keep(accountId, answer, NO_LIMIT);
    expect(kept.keptAs).toBeUndefined();
    expect(await keeperOn(store).replay(found(kept))).toEqual({ body: answer, whole: true });
  });

  it('has its link signed anew for as long as the full result is kept, and is stored without one', async () => {
    const link = 'https://tools.example.com/secret';
    const result = { message: 'cut', truncated_content: '[1', full_content_file_url: link, content_schema: {} };
    const kept = await keeperOn(store).keep(accountId, answerWith(result), NO_LIMIT);
    expect(kept.body).not.toContain('secret');
    const answer = found(kept);
    nowMs += RESULT_LIFETIME_MS - 1;
    const replay = await keeperOn(store).replay(answer);
    const signed = `https://tools.example.com/${executionId}/${answer.keptAtMs + RESULT_LIFETIME_MS}`;
    expect(replay).toEqual({ body: answerWith({ ...result, full_content_file_url: signed }), whole: true });
    expect(Object.keys(replay.body['result'] as JsonObject)).toEqual(Object.keys(result));
    nowMs += 1;
    const late = await keeperOn(store).replay(answer);
    expect(late.body['result']).toEqual({
      message: expect.stringMatching(/no longer kept.*another Idempotency-Key/),
      truncated_content: '[1',
      content_schema: {},
    });
  });

  it('goes to the result store when it is large; once that lets it go, the beginning of the result is left', async () => {
    const data = 'é'.repeat(MAX_ANSWER_BYTES);
    const answer = answerWith({ data });
    const kept = await keeperOn(store).keep(accountId, answer, NO_LIMIT);
    expect(Buffer.byteLength(kept.body)).toBeLessThan(4_096);
    expect(await keeperOn(store).replay(found(kept))).toEqual({ body: answer, whole: true });
    await store.remove(nameOf({ accountId, executionId: kept.keptAs ?? executionId }));
    expect(await readdir(directory)).toEqual([]);
    const left = await keeperOn(store).replay(found(kept));
    expect(left).toEqual({
      whole: false,
      body: answerWith({
        message: expect.stringMatching(/only its beginning is left.*another/) as unknown as string,
        // A quotation mark and 511 characters of two bytes: none is cut in half.
        truncated_content: `"${'é'.repeat(511)}`,
      }),
    });
  });

  it.each<[string, { readonly candidates: number; readonly parameters: number; readonly data: number }, string]>([
    ['what routing decided', { candidates: 30_000, parameters: 2_000, data: 20_000 }, 'parameters result'],
    ['its parameters, too', { candidates: 30_000, parameters: 20_000, data: 20_000 }, 'result'],
    ['its result alone', { candidates: 5_000, parameters: 5_000, data: 40_000 }, 'candidates parameters'],
    ['its result and what routing decided', { candidates: 40_000, parameters: 5_000, data: 40_000 }, 'parameters'],
    ['all three', { candidates: 40_000, parameters: 40_000, data: 40_000 }, ''],
  ])('to a query that is too large loses %s, and no more', async (_what, bytes, left) => {
    const answer = {
      ...answerWith({ status_code: 200, data: 'd'.repeat(bytes.data) }),
      parameters: { place: 'p'.repeat(bytes.parameters) },
      routing: { candidates: ['c'.repeat(bytes.candidates)], excluded: [], chosen: 'one', attempts: [] },
    };
    const kept = await keeperOn(store).keep(accountId, answer, NO_LIMIT);
    expect(await keeperOn(store).replay(found(kept))).toEqual({ body: answer, whole: true });
    await store.remove(nameOf({ accountId, executionId: kept.keptAs ?? executionId }));
    const { body, whole } = await keeperOn(store).replay(found(kept));
    expect(Buffer.byteLength(kept.body)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    expect(body).toMatchObject({ result: { status_code: 200 }, routing: { chosen: 'one', attempts: [] } });
    const is = {
      candidates: 'candidates' in (body['routing'] as JsonObject),
      parameters: 'parameters' in body,
      result: 'data' in (body['result'] as JsonObject),
    };
    expect(Object.keys(is).filter((name) => is[name as keyof typeof is])).toEqual(left.split(' ').filter(Boolean));
    expect(whole).toBe(is.result);
  });

  it('that the result store does not take is answered with what is left of it', async () => {
    const file = join(directory, 'not-a-directory');
    await writeFile(file, '');
    const broken = new DirectoryStore(file);
    const kept = await keeperOn(broken).keep(accountId, answerWith({ data: 'x'.repeat(MAX_ANSWER_BYTES) }), NO_LIMIT);
    const left = await keeperOn(broken).replay(found(kept));
    expect(left).toMatchObject({ whole: false, body: { success: true, cost: 0.25 } });
  });

  it('keeps of a large schema nothing, and of a small one all', async () => {
    const result = {
      respond_with: 'fields:$.a',
      data: 'x'.repeat(MAX_ANSWER_BYTES),
      content_schema: { type: 'string' },
    };
    const small = JSON.parse((await keeperOn(store).keep(accountId, answerWith(result), NO_LIMIT)).body) as JsonObject;
    expect(small['result']).toMatchObject({ respond_with: 'fields:$.a', content_schema: { type: 'string' } });
    const wide = { ...result, content_schema: { description: 'x'.repeat(10_000) } };
    const large = JSON.parse((await keeperOn(store).keep(accountId, answerWith(wide), NO_LIMIT)).body) as JsonObject;
    expect(large['result']).not.toHaveProperty('content_schema');
  });
});
