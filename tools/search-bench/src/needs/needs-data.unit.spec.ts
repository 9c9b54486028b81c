import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { halves, needsFolder, readNeeds, styles } from './needs-data.js';

const MAX_BYTES = 3_000_000;
/** The part of the labels that a look at the whole texts may change after both readings. */
const MAX_CHANGED = 0.02;
/** The licences under which texts of others may stand here. */
const permissive = ['MIT', 'Apache-2.0', 'CC0-1.0', 'CC-BY-3.0', 'CC-BY-4.0'];

const { sources, tools, needs, unserved, judgements } = readNeeds();
const toolIds = new Set(tools.map(({ id }) => id));
const all = [...needs, ...unserved];
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const chineseWords = (text: string): number =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
const doubled = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('the needs that ship with the repository', () => {
  it('are at least 400 in each language beside 300 that no tool serves, within 3 MB', () => {
    expect(needs.length).toBeGreaterThanOrEqual(400);
    expect(unserved).toHaveLength(300);
    const bytes = readdirSync(needsFolder).map((name) => statSync(join(needsFolder, name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
  });

  it('are of at least four sources beside the built-in tools, half of them to choose on and half to report on', () => {
    expect(sources.filter(({ source }) => source !== 'builtin').length).toBeGreaterThanOrEqual(4);
    for (const half of halves) expect(sources.filter((entry) => entry.half === half)).toHaveLength(sources.length / 2);
    const named = sources.map(({ source }) => source).sort();
    expect([...new Set(tools.map(({ source }) => source))].sort()).toEqual(named);
    expect([...new Set(needs.map(({ source }) => source))].sort()).toEqual(named);
  });

  it('name their licences, every one of which allows it', () => {
    const notice = readFileSync(join(needsFolder, 'NOTICE.md'), 'utf8');
    for (const { source, origin, licences } of sources) {
      expect(notice).toContain(`\`${source}\``);
      if (source !== 'builtin') expect(notice).toContain(origin.split(',')[0]);
      expect(licences.filter((licence) => !permissive.includes(licence))).toEqual([]);
    }
    const providers = tools
      .filter(({ source }) => source.startsWith('openapi_'))
      .map(({ provider }) => provider[0] ?? '');
    expect([...new Set(providers)].filter((provider) => !notice.includes(`| ${provider} `))).toEqual([]);
  });

  it('are pairs of short texts, each in its own language', () => {
    const wrong = all.filter(({ en, zh }) => {
      const words = en.split(' ').length;
      const length = chineseWords(zh);
      return (
        words < 3 ||
        words > 12 ||
        length < 3 ||
        length > 12 ||
        /\p{Script=Han}/u.test(en) ||
        !/\p{Script=Han}/u.test(zh)
      );
    });
    expect(wrong).toEqual([]);
    expect(all.filter(({ style }) => !styles.includes(style))).toEqual([]);
  });

  it('say nothing twice, and are no name of a tool', () => {
    expect(doubled(all.map(({ id }) => id))).toEqual([]);
    expect(doubled(all.map(({ en }) => en.toLowerCase()))).toEqual([]);
    expect(doubled(all.map(({ zh }) => zh))).toEqual([]);
    expect(doubled(tools.map(({ id }) => id))).toEqual([]);
    const names = new Set(tools.flatMap(({ name }) => name.map((text) => text.toLowerCase())));
    expect(all.filter(({ en, zh }) => names.has(en.toLowerCase()) || names.has(zh))).toEqual([]);
  });

  it('name tools of the catalogue, one of them of their own source', () => {
    const sourceOf = new Map(tools.map(({ id, source }) => [id, source]));
    const wrong = needs.filter(
      ({ source, relevant }) =>
        doubled(relevant).length > 0 ||
        !relevant.every((toolId) => toolIds.has(toolId)) ||
        !relevant.some((toolId) => sourceOf.get(toolId) === source),
    );
    expect(wrong).toEqual([]);
  });

  it('were read twice, each over its whole pool, and are what both readings say with few exceptions', () => {
    expect(judgements.map(({ need }) => need)).toEqual(needs.map(({ id }) => id));
    const outside = judgements.filter(
      ({ pool, first, second }) =>
        ![...first, ...second].every((toolId) => pool.includes(toolId)) || !pool.every((toolId) => toolIds.has(toolId)),
    );
    expect(outside).toEqual([]);
    const changed = judgements.flatMap(({ first, second }, index) => {
      const relevant = needs[index]?.relevant ?? [];
      const dropped = first.filter((toolId) => second.includes(toolId) && !relevant.includes(toolId));
      return [...dropped, ...relevant.filter((toolId) => !first.includes(toolId) && !second.includes(toolId))];
    });
    const labels = needs.reduce((sum, { relevant }) => sum + relevant.length, 0);
    expect(changed.length).toBeLessThan(MAX_CHANGED * labels);
  });
});
