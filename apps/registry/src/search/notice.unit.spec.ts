import { describe, expect, it } from '@jest/globals';
import type { ToolContract } from '@capability-router/contracts';
import { noticeOf } from './notice.js';

const inCategories = (...names: readonly string[]): ToolContract =>
  ({
    categoryDefinitions: names.map((name) => ({
      slug: name,
      name: { en: name, zh: `${name}类` },
      description: { en: '' },
    })),
  }) as unknown as ToolContract;

describe('the notice of an answer without results', () => {
  it('names the categories of what is nearest, the most frequent first, and three at most', () => {
    const near = [inCategories('maps'), inCategories('weather', 'text'), inCategories('weather'), inCategories('time')];
    expect(noticeOf(near, 'en')).toBe(
      'No tool fits this request well enough. The nearest categories: weather, maps, text.',
    );
    expect(noticeOf(near, 'zh')).toBe('没有足够符合该请求的工具。最接近的类别：weather类、maps类、text类。');
  });

  it('says how to ask where nothing is near', () => {
    expect(noticeOf([], 'en')).toContain('Say in a few words what the tool is to do');
    expect(noticeOf([], 'zh')).toContain('请用几个词说明');
  });
});
