import { describe, expect, it } from '@jest/globals';
import type { ToolContract } from '@capability-router/contracts';
import { resolveTools } from '../catalogue/domain/resolve-tool.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { DescriptionCache } from './description-cache.js';

const tool = (name: string, english = 'City distance', version = 1): ToolContract => {
  const manifest = sampleTool({ toolId: `geokit.distance.${name}.v1`, name: { en: english, zh: '城市距离' } });
  const [resolved] = resolveTools(sampleSource({ tools: [manifest] }));
  return { ...resolved, version, schemaHash: '0'.repeat(64) } as ToolContract;
};

describe('cache of descriptions', () => {
  it('makes a description once for each contract and language', () => {
    const cache = new DescriptionCache();
    const known = tool('a');
    expect(cache.of(known, 'en')).toBe(cache.of(known, 'en'));
    expect(cache.of(known, 'zh').name).toBe('城市距离');
    expect(cache.of(known, 'en').name).toBe('City distance');
  });

  it('never gives what it holds of a former contract', () => {
    const cache = new DescriptionCache();
    cache.of(tool('a'), 'en');
    expect(cache.of(tool('a', 'Changed', 2), 'en').name).toBe('Changed');
    expect(cache.size).toBe(1);
  });

  it('holds no more than it may, and lets go of what was not used for longest', () => {
    const cache = new DescriptionCache(2);
    const [a, b, c] = [tool('a'), tool('b'), tool('c')];
    const first = cache.of(a, 'en');
    const second = cache.of(b, 'en');
    cache.of(a, 'en');
    cache.of(c, 'en');
    expect(cache.size).toBe(2);
    expect(cache.of(a, 'en')).toBe(first);
    expect(cache.of(b, 'en')).not.toBe(second);
  });
});
