import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machineLine, workspaceRoot, writeSection } from '@capability-router/tools-bench';
import { shippedOptions, ToolIndex } from '@capability-router/tool-search';
import { evalFolder, readEvalData } from './data/eval-data.js';
import { openapiTools } from './data/openapi-corpus.js';
import { poolOf } from './data/pool-of.js';
import { toDocument } from './data/to-document.js';
import { ablationTable } from './quality/ablation.js';
import { judgeAgainst, toBaseline, withoutPool, type Baseline } from './quality/baseline.js';
import { feedbackTable } from './quality/feedback-gain.js';
import { pairsWithNames, pairsWithQueries, scorePairs } from './quality/language-pairs.js';
import { scorePool } from './quality/score-pools.js';
import type { PairRow } from './report/pairs-table.js';
import { poolsTable, searchSection, type Pool } from './report/search-section.js';
import { measureSpeed, type Speed } from './speed/measure-speed.js';

/** Tools of the large pool: those of the evaluation and operations of public web APIs. */
const LARGE_POOL_TOOLS = 100_000;
const LARGE_POOL = 'large';
/** Tools of the pool for which the aims are stated. */
const AIMED_POOL_TOOLS = 5_000;

/**
 * The evaluation on labelled queries of others (`SEARCH_EVAL_DIR`): per source, merged, with distractors and among 100,000
 * tools, and Chinese against English; measures the speed of the engine; writes its part of `docs/performance.md`. Answers
 * the exit code: 1 when the ranking fell below the committed baseline, or when there is no evaluation data; 2 when the data
 * are not those of the baseline: then the figures are printed, and neither judged nor written. `--small-pools` leaves out the
 * 100,000 tools, the speed and the report, and judges the rest; `--ablation` only prints what each part of the ranking gains
 * in the merged pool, `--feedback` what a log of paid searches does there.
 */
export async function runEvalData(options: ReadonlySet<string>): Promise<0 | 1 | 2> {
  const folder = evalFolder(process.env);
  const data = readEvalData(folder);
  if (data === undefined) {
    console.error(
      `no evaluation data in ${folder}: put tools.jsonl.gz, queries.jsonl.gz and distractors.jsonl.gz there, or name ` +
        'their folder in SEARCH_EVAL_DIR. Nothing was evaluated.',
    );
    return 1;
  }

  if (options.has('--ablation')) {
    console.log(ablationTable(data.tools.map(toDocument), data.queries));
    return 0;
  }
  if (options.has('--feedback')) {
    console.log(feedbackTable(data.tools.map(toDocument), data.queries));
    return 0;
  }
  const small = options.has('--small-pools');
  if (small && options.has('--write-baseline')) {
    console.error('--write-baseline needs every pool: leave --small-pools out');
    return 1;
  }
  const machine = machineLine([]);
  const tools = data.tools.map(toDocument);
  const pools: Pool[] = [];
  let speed: Speed | undefined;
  if (!small) {
    const others = (await openapiTools(LARGE_POOL_TOOLS - tools.length)).map(toDocument);
    // First, so that the build is a cold one.
    const measured = await measureSpeed([...tools, ...others], data.queries);
    speed = measured.speed;
    const large = measured.index;
    const quality = scorePool(data.queries, () => large);
    pools.push({ name: LARGE_POOL, what: 'with public web APIs', tools: large.size, quality });
  }
  const withDistractors = new ToolIndex([...tools, ...data.distractors.map(toDocument)], shippedOptions());
  pools.unshift({
    name: 'distractors',
    what: 'with distractors',
    tools: withDistractors.size,
    quality: scorePool(data.queries, () => withDistractors),
  });
  const merged = new ToolIndex(tools, shippedOptions());
  pools.unshift({ name: 'merged', what: 'merged', tools: merged.size, quality: scorePool(data.queries, () => merged) });
  const aimed = new ToolIndex(poolOf(data.tools, data.queries, AIMED_POOL_TOOLS).map(toDocument), shippedOptions());
  pools.unshift({
    name: 'aimed',
    what: 'part of all sources',
    tools: aimed.size,
    quality: scorePool(data.queries, () => aimed),
  });
  const toolSource = new Map(data.tools.map(({ id, source }) => [id, source]));
  const ownPools = new Map<string, ToolIndex>();
  /** The tools of the origin from which the relevant tools of a query source come. */
  const ownPool = (source: string): ToolIndex => {
    const relevant = data.queries.find((query) => query.source === source)?.relevant[0] ?? '';
    const origin = toolSource.get(relevant) ?? source;
    let index = ownPools.get(origin);
    if (index === undefined) {
      index = new ToolIndex(data.tools.filter((tool) => tool.source === origin).map(toDocument), shippedOptions());
      ownPools.set(origin, index);
    }
    return index;
  };
  pools.unshift({
    name: 'own',
    what: 'own source',
    tools: data.tools.length,
    quality: scorePool(data.queries, ownPool),
  });

  const pairKinds = [
    { english: 'name of the tool', pairs: pairsWithNames(data.queries, data.tools) },
    { english: 'queries for it', pairs: pairsWithQueries(data.queries) },
  ].filter(({ pairs }) => pairs.length > 0);
  const chineseSource = data.queries.find(({ lang }) => lang === 'zh')?.source ?? '';
  const pairs: PairRow[] = pairKinds.flatMap(({ english, pairs }) => [
    { pool: 'own source', english, quality: scorePairs(pairs, ownPool(chineseSource)) },
    { pool: 'merged', english, quality: scorePairs(pairs, merged) },
  ]);

  const section =
    speed === undefined ? undefined : searchSection({ queries: data.queries.length, pools, pairs, speed });
  console.log(`${machine}\n\n${section ?? poolsTable(pools)}\n`);

  const baselineFile = join(workspaceRoot, 'tools/search-bench/baseline.json');
  const writes = options.has('--write-baseline');
  const committed = existsSync(baselineFile) ? (JSON.parse(readFileSync(baselineFile, 'utf8')) as Baseline) : undefined;
  const baseline = small ? withoutPool(committed, LARGE_POOL) : committed;
  const reported = writes || baseline?.fingerprint === data.fingerprint;
  if (section !== undefined && reported && !options.has('--no-report')) await writeSection('search', machine, section);
  const measured = Object.fromEntries(pools.map(({ name, quality }) => [name, quality]));
  if (writes) {
    writeFileSync(baselineFile, `${JSON.stringify(toBaseline(data.fingerprint, measured), undefined, 2)}\n`);
    console.log('the baseline is written');
    return 0;
  }
  const { exitCode, lines } = judgeAgainst(baseline, data.fingerprint, measured);
  for (const line of lines) console.log(line);
  return exitCode;
}
