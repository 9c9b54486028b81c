import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import { runTool } from '../../test-support/run-tool.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const deepList = (levels: number): JsonValue => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as JsonValue;

/** Nine lines that stand for a thousand million values. */
const billionLaughs = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  .concat(
    [1, 2, 3, 4, 5, 6, 7, 8].map(
      (n) =>
        `a${n}: &a${n} [${Array(10)
          .fill(`*a${n - 1}`)
          .join(', ')}]`,
    ),
  )
  .join('\n');

describe('JSONPath', () => {
  const store: JsonObject = {
    books: [
      { title: 'Sayings', price: 8.95, tags: ['old'] },
      { title: 'Sword', price: 12.99 },
      { title: 'Moby', price: 8.99 },
    ],
  };
  const both = async (document: JsonValue, path: string): Promise<JsonValue[][]> => {
    const exact = (await runTool('forge.json.query.v1', { document, path })) as { rows: JsonValue[] };
    const quick = (await runTool('toolbox.json.select.v1', { json: document, expression: path })) as {
      values: JsonValue[];
    } | null;
    return [exact.rows, quick?.values ?? []];
  };

  // After the examples of RFC 9535.
  it.each<[string, JsonValue[]]>([
    ['$.books[*].price', [8.95, 12.99, 8.99]],
    ['$..price', [8.95, 12.99, 8.99]],
    ['$.books[-1].title', ['Moby']],
    ['$.books[0,1].title', ['Sayings', 'Sword']],
    ['$.books[::2].title', ['Sayings', 'Moby']],
    ['$.books[?@.price < 10].title', ['Sayings', 'Moby']],
    ['$.books[?@.tags].title', ['Sayings']],
    ["$.books[?match(@.title, 'S[a-z]+')].title", ['Sayings', 'Sword']],
    ["$.books[?search(@.title, 'ob')].title", ['Moby']],
    ['$.books[?length(@.title) == 4].title', ['Moby']],
    ['$.nothing', []],
  ])('%s is the same by two libraries', async (path, expected) => {
    expect(await both(store, path)).toEqual([expected, expected]);
  });

  it.each(['$.a[', '$..', '$.a b', '$[?@.a = 1]', '$.a.', '$[?]'])('%s is refused by both', async (path) => {
    await expect(runTool('forge.json.query.v1', { document: {}, path })).rejects.toThrow(ToolInputError);
    await expect(runTool('toolbox.json.select.v1', { json: {}, expression: path })).rejects.toThrow(ToolInputError);
  });

  it.each(['$[?foo(@)]', '$[?length(@) ]', '$[99999999999999999999]'])(
    '%s is refused by the exact one',
    async (path) => {
      await expect(runTool('forge.json.query.v1', { document: {}, path })).rejects.toThrow('JSONPath');
    },
  );

  it('stops at the limit, also of a query that selects the same again and again', async () => {
    const document = JSON.parse('[[[[[[1,2],[3]]]]]]') as JsonValue;
    const path = '$..*..*..*..*';
    expect(await runTool('forge.json.query.v1', { document, path, limit: 5 })).toMatchObject({ more: true });
  });

  it('matches a pattern that would hang a backtracking engine', async () => {
    const document = [`${'a'.repeat(5_000)}!`];
    expect(await runTool('forge.json.query.v1', { document, path: "$[?match(@, '(a+)+')]" })).toMatchObject({
      rows: [],
    });
  });

  it('reaches own members only', async () => {
    expect(await both({ a: 1 }, '$.constructor')).toEqual([[], []]);
    const document = JSON.parse('{"__proto__": {"x": 1}}') as JsonValue;
    expect(await both(document, "$['__proto__'].x")).toEqual([[1], [1]]);
  });

  it('refuses a document nested too deeply', async () => {
    const parameters = { document: deepList(500), path: '$' };
    await expect(runTool('forge.json.query.v1', parameters)).rejects.toThrow('nested');
  });
});

describe('a regular expression', () => {
  const match = (parameters: JsonObject) => runTool('forge.regex.match.v1', parameters);

  it('takes flags, replaces, and has no answer without a match', async () => {
    expect(await match({ pattern: '^B.*$', text: 'a\nbc\nd', flags: 'im' })).toMatchObject({
      matches: [{ text: 'bc' }],
    });
    expect(await match({ pattern: '(\\w+)@(\\w+)', text: 'me@home', replacement: '$2 of $1' })).toEqual({
      text: 'home of me',
    });
    expect(await match({ pattern: 'x', text: 'abc' })).toBeNull();
  });

  it('refuses to write a text that no result may hold, whether by a long replacement or by what it refers to', async () => {
    const long = 'a'.repeat(50_000);
    for (const replacement of ['x'.repeat(1_000), '$1'.repeat(400)]) {
      const pattern = replacement.startsWith('x') ? 'a' : '(a+)';
      await expect(match({ pattern, text: long, replacement })).rejects.toThrow('Shorten the replacement');
    }
    expect(await match({ pattern: '(a)', text: long, replacement: '$1$1' })).toEqual({ text: 'a'.repeat(100_000) });
  });

  it('finds empty matches and goes on', async () => {
    expect(await match({ pattern: 'a*', text: 'baac' })).toMatchObject({
      matches: [{ start: 0 }, { text: 'aa' }, {}, {}],
    });
  });

  it('says that there are more than asked for', async () => {
    expect(await match({ pattern: '.', text: 'abc', max_matches: 2 })).toMatchObject({
      matches: [{ text: 'a' }, { text: 'b' }],
      more: true,
    });
  });

  it.each(['(a', 'a{1001}', '(a)\\1', '((a{1000}){1000}){1000}', '*', '\\'])('%s is refused', async (pattern) => {
    await expect(match({ pattern, text: 'a' })).rejects.toThrow(ToolInputError);
  });

  it.each(['(a+)+$', '(a|aa)+$', '(.*)*x', '(?:a?){500}a{500}'])('%s takes linear time', async (pattern) => {
    const answer = await match({ pattern, text: `${'a'.repeat(2_000)}!` });
    expect(answer === null || typeof answer === 'object').toBe(true);
  });
});

describe('XML', () => {
  const read = (xml: string, over: JsonObject = {}) => runTool('forge.xml.to_json.v1', { xml, ...over });

  it('keeps spellings that only look like numbers', async () => {
    expect(await read('<a><zip>01099</zip><id>12345678901234567890</id><n>3</n></a>')).toEqual({
      value: { a: { zip: '01099', id: '12345678901234567890', n: 3 } },
    });
    expect(await read('<a>3</a>', { infer_types: false })).toEqual({ value: { a: '3' } });
  });

  it.each([
    ['<!DOCTYPE l [<!ENTITY a "x">]><l>&a;</l>', 'Remove the <!DOCTYPE'],
    ['<a><b></a>', 'line 1'],
    ['<a>\n<b>\n</c></a>', 'line 3'],
    ['plain', 'malformed'],
    [`${'<a>'.repeat(300)}${'</a>'.repeat(300)}`, 'nested'],
    ['<__proto__>1</__proto__>', 'cannot be read'],
  ])('%s is refused: %s', async (xml, message) => {
    await expect(read(xml)).rejects.toThrow(ToolInputError);
    await expect(read(xml)).rejects.toThrow(message);
  });

  it('is written with everything escaped, and read back the same', async () => {
    const value = { r: { '@id': '"<&>\'', t: ['<b>', 'a & b', ']]>'] } };
    const { xml } = (await runTool('forge.json.to_xml.v1', { value })) as { xml: string };
    expect(await read(xml)).toEqual({ value });
  });

  it.each<[JsonObject, string]>([
    [{ 'a b': 1 }, 'no XML name'],
    [{ a: { '><script': 1 } }, 'no XML name'],
    [{ a: { '@x y="1"': 1 } }, 'no XML name'],
    [{ a: [1, 2] }, 'Wrap it'],
    [{ a: deepList(200) }, 'nested'],
  ])('is not written of %j', async (value, message) => {
    await expect(runTool('forge.json.to_xml.v1', { value })).rejects.toThrow(message);
  });
});

describe('YAML', () => {
  const readers: [toolId: string, parameter: string, member: string][] = [
    ['forge.yaml.to_json.v1', 'yaml', 'value'],
    ['toolbox.yaml.load.v1', 'document', 'content'],
  ];

  it.each(readers)('%s reads anchors and block texts', async (toolId, parameter, member) => {
    const yaml = 'base: &b {x: 1}\nuse: *b\ntext: |\n  one\n  two\ndate: 2026-01-01\n';
    expect(await runTool(toolId, { [parameter]: yaml })).toMatchObject({
      [member]: { base: { x: 1 }, use: { x: 1 }, text: 'one\ntwo\n', date: '2026-01-01' },
    });
  });

  it.each(readers)(
    '%s refuses a bomb, a cycle, a tag that would run code and what is malformed',
    async (toolId, parameter) => {
      const run = (yaml: string) => runTool(toolId, { [parameter]: yaml });
      await expect(run(billionLaughs)).rejects.toThrow(ToolInputError);
      await expect(run('a: &a [*a]')).rejects.toThrow(ToolInputError);
      await expect(run('a: [1, 2')).rejects.toThrow('cannot be read');
      await expect(run(`${'['.repeat(3_000)}${']'.repeat(3_000)}`)).rejects.toThrow(ToolInputError);
      const tagged = await run('f: !!js/function "x"').catch((error: unknown) => error);
      if (tagged instanceof Error) expect(tagged).toBeInstanceOf(ToolInputError);
      else expect(JSON.stringify(tagged)).toContain('"x"');
    },
  );

  it.each(readers)('%s has no answer for nothing, and keeps __proto__ a plain member', async (toolId, parameter) => {
    expect(await runTool(toolId, { [parameter]: '# only a comment\n' })).toBeNull();
    const answer = await runTool(toolId, { [parameter]: '__proto__: {polluted: 1}\n' });
    expect(JSON.stringify(answer)).toContain('"__proto__":{"polluted":1}');
    expect(({} as JsonObject)['polluted']).toBeUndefined();
  });

  it('refuses more values than people would edit', async () => {
    const value = Array.from({ length: 20_001 }, () => [1]);
    await expect(runTool('forge.json.to_yaml.v1', { value })).rejects.toThrow('over 40000 values');
  });

  it('reads several documents, and writes what it reads', async () => {
    expect(await runTool('forge.yaml.to_json.v1', { yaml: 'a: 1\n---\nb: 2\n' })).toEqual({
      value: { a: 1 },
      further_documents: [{ b: 2 }],
    });
    const value = { b: [1, { c: 'no' }], a: '2026-01-01', t: 'x\ny\n', s: '# no comment' };
    const { yaml } = (await runTool('forge.json.to_yaml.v1', { value, keys: 'sorted' })) as { yaml: string };
    expect(yaml.startsWith('a:')).toBe(true);
    expect(await runTool('forge.yaml.to_json.v1', { yaml })).toMatchObject({ value });
  });
});
