import type { JsonValue } from '@capability-router/kernel';

const html = '<h1>Hello</h1>\n<p>Some <em>emphasis</em> and &lt;b&gt;raw HTML&lt;/b&gt;.</p>\n';

export const textFacts: Readonly<Record<string, JsonValue>> = {
  'lingua.readability.score.v1': {
    word_count: 18,
    sentence_count: 3,
    syllable_count: 26,
    // 206.835 − 1.015 × 18/3 − 84.6 × 26/18, and 0.39 × 18/3 + 11.8 × 26/18 − 15.59.
    flesch_reading_ease: 78.5,
    grade_levels: { flesch_kincaid: 3.8 },
  },
  'lingua.language.facts.v1': {
    name: 'Welsh',
    name_zh: '威尔士语',
    own_name: 'Cymraeg',
    iso_639_1: 'cy',
    iso_639_2b: 'wel',
    iso_639_3: 'cym',
    status: 'living',
    right_to_left: false,
  },
  'lingua.number.to_words.v1': { words: 'one thousand two hundred thirty-four' },
  // Two characters with two readings each: 重 (zhòng), 行 (xíng).
  'lingua.pinyin.convert.v1': { pinyin: 'chóng qìng yín háng háng zhǎng', initials: 'cqyhhz' },
  'scribe.markdown.to_html.v1': { html },
  'toolbox.markdown.to_html.v1': { html },
  'scribe.html.to_text.v1': { text: 'News\n\nRead more [https://example.com/].' },
  'scribe.article.extract.v1': { title: 'A new bridge', language: 'en', author: null },
  'scribe.text.diff.v1': {
    identical: false,
    changes: [
      { kind: 'equal', text: 'red\n' },
      { kind: 'delete', text: 'green\n' },
      { kind: 'insert', text: 'yellow\n' },
      { kind: 'equal', text: 'blue\n' },
    ],
    patch: '--- before\n+++ after\n@@ -1,3 +1,3 @@\n red\n-green\n+yellow\n blue\n',
  },
  'toolbox.text.diff.v1': {
    identical: false,
    edit_distance: 6,
    changes: [
      { kind: 'equal', text: 'red\n' },
      { kind: 'delete', text: 'green' },
      { kind: 'insert', text: 'yellow' },
      { kind: 'equal', text: '\nblue\n' },
    ],
  },
  'scribe.template.render.v1': { text: 'Dear Ada,\n- TEA\n- MILK' },
  'scribe.slug.make.v1': { slug: 'deja-vu-10-ways' },
  'toolbox.slug.make.v1': { slug: 'deja-vu-10-ways' },
};
