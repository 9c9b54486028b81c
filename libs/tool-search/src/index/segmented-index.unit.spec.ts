import { describe, expect, it } from '@jest/globals';
import { sampleDocument } from '../test-support/sample-document.js';
import { ToolIndex } from '../tool-index.js';
import { loadWordVectors } from '../vectors/index.js';
import { SegmentedIndex } from './segmented-index.js';

const words = 'amber birch cedar delta ember fjord grove heron islet jetty kelp lagoon maple north ocean pine'.split(
  ' ',
);
/** The same documents for the same numbers. */
const documentOf = (number: number, revision = 0) =>
  sampleDocument(`p.tool${number}.v1`, {
    name: [`${words[number % 16] ?? ''} ${words[(number * 7 + revision) % 16] ?? ''} tool${number}`],
    description: [[1, 2, 3, 5, 8].map((step) => words[(number * step + revision) % 16] ?? '').join(' ')],
  });
const queries = ['amber grove', 'ocean pine maple', 'kelp', 'tool17', 'heron islet tool230', 'delta. ember fjord.'];
const answers = (index: ToolIndex) => queries.map((query) => index.search(query, { limit: 20 }));
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);

describe('an index that changes', () => {
  it('answers like one that was built at once, however the tools came', async () => {
    const whole = new ToolIndex(range(0, 600).map((number) => documentOf(number)));
    const grown = new ToolIndex(range(0, 150).map((number) => documentOf(number)));
    for (const number of range(150, 400)) grown.upsert([documentOf(number)]);
    grown.upsert(range(400, 600).map((number) => documentOf(number)));
    await grown.settled();
    expect(grown.size).toBe(600);
    expect(answers(grown).map((hits) => hits.map(({ toolId }) => toolId))).toEqual(
      answers(whole).map((hits) => hits.map(({ toolId }) => toolId)),
    );
  });

  it('takes nothing of a change that failed into the next one', () => {
    const wordVectors = loadWordVectors();
    const [failed, fresh] = [new ToolIndex([], { wordVectors }), new ToolIndex([], { wordVectors })];
    const broken = { ...documentOf(1), description: [undefined as unknown as string] };
    expect(() => failed.upsert([documentOf(2), broken])).toThrow(TypeError);
    for (const index of [failed, fresh]) for (const number of range(3, 40)) index.upsert([documentOf(number)]);
    expect(answers(failed)).toEqual(answers(fresh));
  });

  it('answers the same before and after its parts are merged in the background', async () => {
    const index = new ToolIndex(range(0, 9_000).map((number) => documentOf(number)));
    index.upsert(range(9_000, 17_000).map((number) => documentOf(number)));
    const during = answers(index);
    await index.settled();
    const places = (all: typeof during) => all.map((hits) => hits.map(({ toolId }) => toolId));
    expect(places(answers(index))).toEqual(places(during));
  });

  it('keeps what is changed while its parts are merged', async () => {
    const index = new ToolIndex(range(0, 9_000).map((number) => documentOf(number)));
    index.upsert(range(9_000, 17_000).map((number) => documentOf(number)));
    index.remove(['p.tool17.v1']);
    index.upsert([sampleDocument('p.tool230.v1', { name: ['zephyr'] })]);
    await index.settled();
    expect(index.size).toBe(16_999);
    expect(index.search('tool17', { limit: 5 }).map(({ toolId }) => toolId)).not.toContain('p.tool17.v1');
    expect(index.search('p.tool17.v1', { limit: 5 }).every(({ exact }) => !exact)).toBe(true);
    expect(index.search('zephyr', { limit: 5 }).map(({ toolId }) => toolId)).toEqual(['p.tool230.v1']);
  });

  it('knows where a tool is from the moment its parts are merged', async () => {
    const index = new SegmentedIndex(undefined);
    index.upsert(range(0, 9_000).map((number) => documentOf(number)));
    index.upsert(range(9_000, 17_000).map((number) => documentOf(number)));
    while (index.segments.length > 1) await new Promise((resolve) => setImmediate(resolve));
    const [merged] = index.segments;
    // The last of them, whose turn comes last.
    index.remove(['p.tool16999.v1']);
    expect(index.locate('p.tool16998.v1')?.segment === merged).toBe(true);
    expect(merged?.live.filter((alive) => alive === 1).length).toBe(16_999);
    await index.settled();
    for (const number of [0, 8_999, 9_000, 16_998]) {
      const { segment, document = -1 } = index.locate(`p.tool${number}.v1`) ?? {};
      expect([segment === merged, merged?.toolIds[document]]).toEqual([true, `p.tool${number}.v1`]);
    }
  });

  it('reports a merge that fails, and merges again with the next change', async () => {
    const reported: unknown[] = [];
    const index = new SegmentedIndex(undefined, (error) => reported.push(error));
    index.upsert(range(0, 9_000).map((number) => documentOf(number)));
    const [segment] = index.segments;
    if (segment === undefined) throw new Error('nothing is indexed');
    const { sequence } = segment;
    const fault = new Error('no memory');
    Object.defineProperty(segment, 'sequence', {
      configurable: true,
      get: () => {
        throw fault;
      },
    });
    index.upsert(range(9_000, 17_000).map((number) => documentOf(number)));
    await index.settled();
    expect(reported).toEqual([fault]);
    expect(index.segments).toHaveLength(2);
    Object.defineProperty(segment, 'sequence', { value: sequence });
    index.upsert([documentOf(17_000)]);
    await index.settled();
    expect(reported).toEqual([fault]);
    expect(index.segments.length).toBeLessThan(3);
    expect(index.locate('p.tool17.v1')?.segment).toBe(index.locate('p.tool9017.v1')?.segment);
    expect(index.size).toBe(17_001);
  });

  it('finds an added tool first by its name at once, and a removed one never again', () => {
    const index = new ToolIndex(range(0, 300).map((number) => documentOf(number)));
    for (const number of range(0, 50)) {
      const toolId = `new.tool.n${number}.v1`;
      const name = `Zephyr quokka ${number}`;
      index.upsert([sampleDocument(toolId, { name: [name] })]);
      expect(index.search(name, { limit: 1 })[0]?.toolId).toBe(toolId);
      index.remove([toolId]);
      expect(index.search(name, { limit: 10 })).toEqual([]);
    }
    expect(index.size).toBe(300);
  });

  it('knows the last of two documents of a tool, in one change and in two', () => {
    const index = new ToolIndex([]);
    index.upsert([sampleDocument('a.b.v1', { name: ['amber'] }), sampleDocument('a.b.v1', { name: ['birch'] })]);
    expect(index.search('amber', { limit: 1 })).toEqual([]);
    index.upsert([sampleDocument('a.b.v1', { name: ['cedar'] })]);
    expect(index.search('birch', { limit: 1 })).toEqual([]);
    expect(index.search('cedar', { limit: 1 })).toHaveLength(1);
    expect(index.size).toBe(1);
  });

  it('shows what is loaded in parts when the load is finished, and not before', () => {
    const index = new ToolIndex([]);
    const bulk = index.startBulk();
    bulk.add(range(0, 20).map((number) => documentOf(number)));
    expect(index.search('tool17', { limit: 1 })).toEqual([]);
    bulk.add(range(20, 40).map((number) => documentOf(number)));
    bulk.finish();
    expect(index.search('tool17', { limit: 1 })[0]?.toolId).toBe('p.tool17.v1');
    expect(index.size).toBe(40);
  });
});
