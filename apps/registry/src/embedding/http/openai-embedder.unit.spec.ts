import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelError } from '../embedder.js';
import { embedsBy, ModelServer, sendJson, type ModelAnswer } from '../test-support/model-server.js';
import { OpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.js';

const key = 'sk-very-secret-key';

describe('the OpenAI-compatible embedder', () => {
  let server: ModelServer;
  const open: OpenAiEmbedder[] = [];
  const embedder = (over: Partial<OpenAiEmbedderOptions> = {}): OpenAiEmbedder => {
    const made = new OpenAiEmbedder({
      baseUrl: server.baseUrl,
      model: 'tiny',
      apiKey: key,
      batchSize: 8,
      timeoutMs: 60_000,
      prefixes: { query: 'query: ', document: 'passage: ' },
      ...over,
    });
    open.push(made);
    return made;
  };
  const failureOf = async (answer: ModelAnswer, over: Partial<OpenAiEmbedderOptions> = {}): Promise<ModelError> => {
    server.answerWith(answer);
    const result = await embedder(over)
      .embed(['one', 'two'], 'query')
      .catch((error: unknown) => error);
    expect(result).toMatchObject({ name: 'ModelError' });
    return result as ModelError;
  };

  beforeAll(async () => {
    server = await ModelServer.start(embedsBy(() => [1]));
  });
  afterEach(async () => {
    server.requests.length = 0;
    await Promise.all(open.splice(0).map((made) => made.close()));
  });
  afterAll(() => server.close());

  it('asks as OpenAI is asked and puts the answer into the order of the texts', async () => {
    server.answerWith(embedsBy((text) => [text.length, 1]));
    const vectors = await embedder({ dimensions: 2 }).embed(['a', 'abc'], 'document');
    expect(vectors).toEqual([Float32Array.from([10, 1]), Float32Array.from([12, 1])]);
    expect(server.requests).toEqual([
      {
        path: '/v1/embeddings',
        authorization: `Bearer ${key}`,
        body: { model: 'tiny', input: ['passage: a', 'passage: abc'], encoding_format: 'float', dimensions: 2 },
      },
    ]);
  });

  it('keys vectors by model, dimensions and the prefix of documents, not by the address', () => {
    const base = embedder().modelKey;
    expect(embedder({ baseUrl: 'http://elsewhere/v1' }).modelKey).toBe(base);
    const others = [
      embedder({ model: 'other' }),
      embedder({ dimensions: 3 }),
      embedder({ prefixes: { query: '', document: '' } }),
    ];
    expect(new Set([base, ...others.map(({ modelKey }) => modelKey)]).size).toBe(4);
  });

  it.each<[string, ModelAnswer]>([
    ['text that is not JSON', (_, response) => void response.writeHead(200).end('<html>')],
    ['no data', (_, response) => sendJson(response, { error: 'no' })],
    ['too few embeddings', (_, response) => sendJson(response, { data: [{ index: 0, embedding: [1] }] })],
    [
      'the same index twice',
      (_, response) => {
        const entry = { index: 0, embedding: [1] };
        sendJson(response, { data: [entry, entry] });
      },
    ],
    ['an index out of range', (_, response) => sendJson(response, { data: [{ index: 7, embedding: [1] }, {}] })],
    ['words for numbers', (request, response) => embedsBy(() => ['x' as unknown as number])(request, response)],
    ['nulls', (request, response) => embedsBy(() => [null as unknown as number])(request, response)],
    ['only zeros', (request, response) => embedsBy(() => [0, 0])(request, response)],
    ['an empty list', (request, response) => embedsBy(() => [])(request, response)],
    [
      'different dimensions',
      (request, response) => embedsBy((text) => (text.endsWith('one') ? [1] : [1, 2]))(request, response),
    ],
    ['5,000 dimensions', (request, response) => embedsBy(() => new Array<number>(5_000).fill(1))(request, response)],
  ])('turns away %s', async (_name, answer) => {
    expect((await failureOf(answer)).fault).toBe('bad_answer');
  });

  it('turns away other dimensions than were asked for', async () => {
    expect(
      (
        await failureOf(
          embedsBy(() => [1, 2]),
          { dimensions: 3 },
        )
      ).fault,
    ).toBe('bad_answer');
  });

  it('never shows the key, and never what the server says', async () => {
    const leaky: ModelAnswer = ({ authorization }, response) => sendJson(response, { error: authorization }, 401);
    const error = await failureOf(leaky);
    expect(error.fault).toBe('unavailable');
    expect(`${error.message} ${JSON.stringify(error)} ${error.stack ?? ''}`).not.toContain(key);
  });

  it('tells what it cannot accept from what may work later, and how long to wait', async () => {
    expect((await failureOf((_, response) => sendJson(response, {}, 413))).fault).toBe('refused');
    expect((await failureOf((_, response) => sendJson(response, {}, 500))).fault).toBe('unavailable');
    const limited = await failureOf((_, response) => sendJson(response, {}, 429, { 'retry-after': '2' }));
    expect([limited.fault, limited.options.retryAfterMs]).toEqual(['unavailable', 2_000]);
    const patient = await failureOf((_, response) => sendJson(response, {}, 429, { 'retry-after': '99999' }));
    expect(patient.options.retryAfterMs).toBe(60_000);
  });

  it('does not follow a redirect', async () => {
    const error = await failureOf((_, response) =>
      sendJson(response, {}, 307, { location: `${server.baseUrl}/stolen` }),
    );
    expect(error.message).toContain('redirects are not followed');
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/embeddings']);
  });

  it('gives up on a server that does not answer, and on one that never ends', async () => {
    expect((await failureOf(() => undefined, { timeoutMs: 100 })).fault).toBe('unavailable');
    const endless: ModelAnswer = (_, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(1_048_576, 32);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
        response.once('drain', more);
      };
      more();
    };
    expect((await failureOf(endless, { timeoutMs: 20_000 })).fault).toBe('unavailable');
  });
});
