import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@capability-router/kernel';
import { runTool } from '../../test-support/run-tool.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const markdownTools = ['scribe.markdown.to_html.v1', 'toolbox.markdown.to_html.v1'];

describe.each(markdownTools)('%s', (toolId) => {
  const render = async (markdown: string): Promise<string> =>
    ((await runTool(toolId, { markdown })) as { html: string }).html;

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](vbscript:x)',
    '![x](data:text/html;base64,PHNjcmlwdD4=)',
    '<a href="javascript:x">y</a>',
    '<https://e.com/" onmouseover="alert(1)>',
  ])('makes nothing that runs of %j', async (markdown) => {
    const html = await render(markdown);
    expect(html).not.toMatch(/<script|<img[^>]*onerror|<a[^>]*onmouseover/i);
    expect(html).not.toMatch(/(href|src)="\s*(javascript|vbscript|data:text)/i);
  });

  it('renders tables, code and links', async () => {
    const html = await render('| a | b |\n|---|---|\n| 1 | 2 |\n\n`x < y` ~~no~~ https://example.com/\n');
    expect(html).toContain('<td>1</td>');
    expect(html).toContain('<code>x &lt; y</code>');
    expect(html).toContain('<a href="https://example.com/">');
  });

  it('renders what is nested 40 levels, and refuses more instead of losing it', async () => {
    for (const marker of ['> ', '>', '- ', '1. ']) {
      expect(await render(`${marker.repeat(40)}deep`)).toContain('deep');
      await expect(render(`x\n\n${marker.repeat(41)}deep`)).rejects.toThrow('Flatten');
    }
    expect(await render('-'.repeat(200))).toContain('<hr');
  });
});

describe('HTML to text', () => {
  const convert = (html: string, over: JsonObject = {}) => runTool('scribe.html.to_text.v1', { html, ...over });

  it('keeps lists and tables, drops scripts and styles, decodes entities', async () => {
    const html =
      '<style>p{}</style><p>a &amp; b</p><ul><li>one<li>two</ul><table><tr><td>1<td>2</table><script>x</script>';
    expect(await convert(html)).toEqual({ text: expect.stringMatching(/^a & b\n\n \* one\n \* two\n\n1\s+2$/) });
  });

  it('leaves links out on request, and has no answer where there is no text', async () => {
    expect(await convert('<a href="https://e.com/">e</a>', { keep_links: false })).toEqual({ text: 'e' });
    expect(await convert('<script>x</script><img src="a.png">')).toBeNull();
  });

  it.each(['scribe.html.to_text.v1', 'scribe.article.extract.v1'])('%s refuses markup without end', async (tool) => {
    await expect(runTool(tool, { html: `${'<b>'.repeat(20_000)}x` })).rejects.toThrow(ToolInputError);
    await expect(runTool(tool, { html: `<div>${'<p>x</p>'.repeat(21_000)}</div>` })).rejects.toThrow(
      /Send (a|its main) part/,
    );
  });
});

describe('the article of a page', () => {
  it('comes without menus and scripts, with author and date', async () => {
    const html =
      '<html lang="en"><head><title>Tides | Sea News</title><meta property="article:published_time" content="2026-05-01">' +
      '<meta name="author" content="A. Writer"><meta property="og:site_name" content="Sea News"></head><body>' +
      '<ul class="menu"><li>Home<li>Shop</ul><article><h1>Tides</h1>' +
      '<p>The tide rises twice a day, drawn by the moon, and falls as often, leaving pools behind it.</p>'.repeat(8) +
      '<script>track()</script></article><div class="comments">Nice!</div></body></html>';
    const article = await runTool('scribe.article.extract.v1', { html });
    expect(article).toMatchObject({ author: 'A. Writer', published: '2026-05-01', site: 'Sea News', language: 'en' });
    const { text } = article as { text: string };
    expect(text).toContain('The tide rises twice a day');
    expect(text).not.toMatch(/track|Shop/);
  });

  it('is nothing where a page has none', async () => {
    expect(await runTool('scribe.article.extract.v1', { html: '<html><body></body></html>' })).toBeNull();
  });
});

describe('a difference', () => {
  it.each(['scribe.text.diff.v1', 'toolbox.text.diff.v1'])('%s rebuilds both texts', async (toolId) => {
    const [before, after] = ['The quick brown fox\njumps.\n', 'The slow brown fox\njumps high.\n'];
    const { changes } = (await runTool(toolId, { before, after })) as { changes: { kind: string; text: string }[] };
    const without = (kind: string) =>
      changes
        .filter((change) => change.kind !== kind)
        .map(({ text }) => text)
        .join('');
    expect(without('insert')).toBe(before);
    expect(without('delete')).toBe(after);
    expect(await runTool(toolId, { before, after: before })).toMatchObject({ identical: true });
  });

  it('by word or character is finer than by line', async () => {
    const compare = (granularity: string) =>
      runTool('scribe.text.diff.v1', { before: 'a cat', after: 'a hat', granularity });
    expect(await compare('word')).toMatchObject({ changes: [{ text: 'a ' }, { text: 'cat' }, { text: 'hat' }] });
    expect(await compare('character')).toMatchObject({
      changes: [{ text: 'a ' }, { text: 'c' }, { text: 'h' }, { text: 'at' }],
    });
  });
});

describe('a template', () => {
  const render = (template: string, data: JsonObject = {}, over: JsonObject = {}) =>
    runTool('scribe.template.render.v1', { template, data, ...over });

  it('formats dates and numbers, and has conditions', async () => {
    const template = '{{ d | date: "%d.%m.%Y" }} {% if n > 1 %}{{ n | times: 1.5 }}{% else %}one{% endif %}';
    expect(await render(template, { d: '2026-07-01', n: 3 })).toEqual({ text: '01.07.2026 4.5' });
  });

  it.each([
    ['{% if %}', 'cannot be rendered'],
    ['{{ a | nothing_such }}', 'nothing_such'],
    ['{% include "/etc/passwd" %}', 'cannot include'],
    ['{% render "x" %}', 'cannot include'],
    ['{% for i in (1..100000000) %}x{% endfor %}', 'limit exceeded'],
    ['{% assign a = "x" %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}{{ a }}', 'limit exceeded'],
  ])('%s is refused: %s', async (template, message) => {
    await expect(render(template)).rejects.toThrow(ToolInputError);
    await expect(render(template)).rejects.toThrow(message);
  });

  it('reaches own members of the data only', async () => {
    const template = '[{{ a.constructor }}{{ a.__proto__ }}{{ constructor }}{{ a.b.length }}]';
    expect(await render(template, { a: { b: 'xyz' } })).toEqual({ text: '[3]' });
  });

  it('names the missing value when it is strict', async () => {
    expect(await render('<{{ missing }}>')).toEqual({ text: '<>' });
    await expect(render('{{ missing }}', {}, { strict: true })).rejects.toThrow('missing');
  });
});

describe('a slug', () => {
  it('is made of any script by one tool and of Latin letters by the other', async () => {
    const parameters = { text: '你好，世界 Привет' };
    expect(await runTool('scribe.slug.make.v1', parameters)).toEqual({ slug: 'ni-hao-shi-jie-privet' });
    expect(await runTool('toolbox.slug.make.v1', parameters)).toEqual({ slug: 'privet' });
    expect(await runTool('toolbox.slug.make.v1', { text: '你好' })).toBeNull();
    expect(await runTool('toolbox.slug.make.v1', { text: 'Äpfel & Öl', separator: '_' })).toEqual({
      slug: 'aepfel_and_oel',
    });
  });
});
