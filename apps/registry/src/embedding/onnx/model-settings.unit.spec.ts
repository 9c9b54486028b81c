import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readModelSettings, readsScripts } from './model-settings.js';

const directory = mkdtempSync(join(tmpdir(), 'model-settings-'));
afterAll(() => rmSync(directory, { recursive: true }));

const read = (content: string) => {
  writeFileSync(join(directory, 'search.json'), content);
  return readModelSettings(directory);
};

describe('the settings of a model', () => {
  it('are none where its folder has no file of them', () => {
    expect(readModelSettings(join(directory, 'other'))).toEqual({});
  });

  it('are what the file says', () => {
    const settings = { scripts: ['Latin'], pooling: 'cls', max_tokens: 64, share_percent: 50, min_cosine_percent: 30 };
    expect(read(JSON.stringify(settings))).toEqual(settings);
    expect(read('{}')).toEqual({});
  });

  it.each([
    ['no JSON', /search\.json cannot be used: it is no JSON/],
    ['{"share_percent": 0}', /share_percent must be >= 1/],
    ['{"share": 50}', /must NOT have additional properties/],
    ['{"scripts": ["Elvish"]}', /"Elvish" is no script that Unicode knows/],
    ['{"scripts": ["Latin}a{"]}', /is no script/],
    ['[]', /must be object/],
  ])('say what is wrong with %s', (content, message) => {
    expect(() => read(content)).toThrow(message);
  });

  it('tell by its letters whether a text is for the model', () => {
    const latin = readsScripts(['Latin']);
    for (const text of ['convert 10 €', 'café', 'ＰＤＦ 2', '😀', '']) expect(latin(text)).toBe(true);
    for (const text of ['天气', 'PDF 转换', 'погода']) expect(latin(text)).toBe(false);
    expect(readsScripts(['Latin', 'Han'])('PDF 转换')).toBe(true);
  });
});
