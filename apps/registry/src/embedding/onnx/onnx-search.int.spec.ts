import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { sampleSource, sampleTool } from '../../test-support/sample-catalogue.js';
import { newAccount, RunningRegistry } from '../../test-support/running-registry.js';
import { lookUpModel, wordTokenizer } from '../test-support/onnx-graph.js';
import { onnxRuntimeFolder } from '../test-support/onnx-runtime.js';

const moon = sampleTool({
  toolId: 'geokit.moon.get.v1',
  name: { en: 'Moon phase' },
  description: { en: 'Moon phase of a given day.' },
});
const FOUND_DEADLINE_MS = 40_000;
/** A runtime for models is loaded. */
const START_DEADLINE_MS = 120_000;
/** Milliseconds, the most that may be set: a machine that stands still for a moment is not late. */
const ROOMY_BUDGET_MS = '5000';

describe('a model in a directory', () => {
  it(
    'finds a tool that has no word in common with the query, and is not asked in scripts that it does not read',
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'onnx-model-'));
      // Unknown words, then `moon` and `plenilunium`, which mean the same, and `distance`.
      const table = [
        [0.01, 0.01, 0.01],
        [1, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ];
      await writeFile(join(directory, 'model.onnx'), lookUpModel(table));
      await writeFile(
        join(directory, 'tokenizer.json'),
        JSON.stringify(wordTokenizer(['moon', 'plenilunium', 'distance'])),
      );
      await writeFile(join(directory, 'search.json'), JSON.stringify({ scripts: ['Latin'] }));
      await symlink(join(onnxRuntimeFolder(), 'node_modules'), join(directory, 'node_modules'));
      const registry = await RunningRegistry.start(sampleSource({ tools: [sampleTool(), moon] }), {
        REGISTRY_EMBEDDING: `onnx:${directory}`,
        SEARCH_EMBEDDING_BUDGET_MS: ROOMY_BUDGET_MS,
      });
      try {
        const query = { url: '/api/v1/search', account: newAccount(), body: { query: 'plenilunium hodie' } };
        const end = performance.now() + FOUND_DEADLINE_MS;
        let { body } = await registry.post(query);
        while (body['total'] !== 1 && performance.now() < end) {
          await sleep(20);
          ({ body } = await registry.post(query));
        }
        expect(body).toMatchObject({ total: 1, results: [{ tool_id: moon.toolId }] });
        const inCyrillic = await registry.post({ ...query, body: { query: 'plenilunium полнолуние' } });
        expect(inCyrillic.body).toMatchObject({ total: 0 });
        expect(inCyrillic.body).not.toHaveProperty('degraded');
      } finally {
        await registry.stop();
        await rm(directory, { recursive: true });
      }
    },
    START_DEADLINE_MS,
  );
});
