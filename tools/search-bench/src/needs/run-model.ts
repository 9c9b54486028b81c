import {
  loadRegistryConfig,
  OnnxEmbedder,
  packVector,
  modelQuestion,
  questionPolicy,
  semanticEvidence,
  VectorIndex,
  NEIGHBOURS,
} from '@capability-router/registry/embedding';
import { percentile, table, whole } from '@capability-router/tools-bench';
import {
  DEFAULT_MIN_FIT,
  inEnglish,
  loadChineseGlosses,
  shippedOptions,
  ToolIndex,
} from '@capability-router/tool-search';
import { documentsOf, languages, readNeeds, type CatalogueTool } from './needs-data.js';
import { stylesTable } from './needs-tables.js';
import { answeredOf, byHalf, scoreNeeds, type EvidenceOf, type ScoredNeed } from './score-needs.js';

const ALIVE_MS = 60_000;

/**
 * The needs that ship with the repository, with the model of a folder and without: quality, and what a query, a tool and
 * the model itself cost. Answers 1 where a half in a language is worse with it. The embedder, the index of vectors, the evidence and the settings are those of the registry.
 */
export async function runModel(folder: string): Promise<0 | 1> {
  const { embedding } = loadRegistryConfig({
    REGISTRY_DATABASE_URL: 'postgres://localhost/none',
    REGISTRY_EMBEDDING: `onnx:${folder}`,
  });
  if (embedding.embedder.provider !== 'onnx') return 1;
  const data = readNeeds();
  const index = new ToolIndex(documentsOf(data.tools), shippedOptions());
  const without = process.memoryUsage().rss;
  // The thread of the model keeps no process alive, and nothing else is waited for here.
  const alive = setInterval(() => undefined, ALIVE_MS);
  const model = await OnnxEmbedder.open({ ...embedding.embedder, prefixes: embedding.prefixes });
  try {
    const vectors = new VectorIndex();
    const toolMs: number[] = [];
    for (const tool of data.tools) {
      const begin = performance.now();
      const [vector] = await model.embed([textOf(tool)], 'document');
      toolMs.push(performance.now() - begin);
      if (vector !== undefined) vectors.put(tool.id, packVector(vector));
    }
    const asking = questionPolicy(embedding, DEFAULT_MIN_FIT);
    const questionOf = (text: string) => modelQuestion(text, asking, (query) => inEnglish(query, loadChineseGlosses()));
    const known = new Map<string, Float32Array>();
    const queryMs: number[] = [];
    const needs = [...data.needs, ...data.unserved].flatMap((need) => languages.map((language) => need[language]));
    for (const { text } of needs.flatMap((need) => questionOf(need) ?? [])) {
      const begin = performance.now();
      const [vector] = await model.embed([text], 'query');
      queryMs.push(performance.now() - begin);
      if (vector !== undefined) known.set(text, vector);
    }
    const evidenceOf: EvidenceOf = (need) => {
      const question = questionOf(need);
      const vector = question === undefined ? undefined : known.get(question.text);
      return question === undefined || vector === undefined
        ? undefined
        : semanticEvidence(vectors.nearest(vector, NEIGHBOURS), question.policy);
    };
    const [answered, answeredBefore] = [answeredOf(data, index, evidenceOf), answeredOf(data, index)];
    const [scored, scoredBefore] = [scoreNeeds(data, index, evidenceOf), scoreNeeds(data, index)];
    const unserved = whole(data.unserved.length);
    console.log(
      [
        `Without the model:\n\n${stylesTable(scoredBefore)}`,
        `With the model of ${folder}:\n\n${stylesTable(scored)}`,
        `Of ${unserved} needs that no tool serves, ${answeredBefore.en} get an answer in English without it and ${answered.en} with it, ` +
          `${answeredBefore.zh} and ${answered.zh} in Chinese.`,
        table(
          ['', 'p50 ms', 'p99 ms'],
          [
            ['a query', ...quantiles(queryMs)],
            ['a tool', ...quantiles(toolMs)],
          ],
        ),
        `${whole(data.tools.length)} tools; ${whole((process.memoryUsage().rss - without) / 1e6)} MB more memory (RSS), with their vectors.`,
      ].join('\n\n'),
    );
    const worse = Object.keys(byHalf(scored)).filter((half) => ndcg(scored, half) < ndcg(scoredBefore, half));
    for (const half of worse) console.error(`FAILED: the search is worse with the model: ${half}`);
    return worse.length === 0 ? 0 : 1;
  } finally {
    clearInterval(alive);
    await model.close();
  }
}

const ndcg = (scored: readonly ScoredNeed[], half: string): number => byHalf(scored)[half]?.macro.ndcg10 ?? 0;

/** The lines that the registry gives to a model. */
function textOf({ name, description, category, provider }: CatalogueTool): string {
  return [name, description, category, provider].map((line) => line.join(', ')).join('\n');
}

function quantiles(times: readonly number[]): string[] {
  const sorted = [...times].sort((a, b) => a - b);
  return [0.5, 0.99].map((share) => percentile(sorted, share).toFixed(1));
}
