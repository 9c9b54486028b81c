import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { adminOpenApi } from './admin-document.js';
import { lintAnswers, type LintAnswer } from './lint-answers.js';
import { publicOpenApi } from './public-document.js';

interface Finding {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The members of Spectral that are used, which only `npm run test:stack` installs. */
interface Core {
  readonly Spectral: new () => { setRuleset(ruleset: object): void; run(document: object): Promise<Finding[]> };
  readonly Document: new (text: string, parser: unknown, name: string) => object;
}

const folder = process.env['TEST_SPECTRAL'];
if (folder === undefined) throw new Error('TEST_SPECTRAL is not set: npm run test:stack installs Spectral');
const load = createRequire(join(folder, 'package.json'));

/** Its path takes every member `parameters` for parameters, and fails at one that is a schema of our own. */
const CREDENTIALS_IN_URL = 'owasp:api2:2023-no-credentials-in-url';

function lint(document: JsonObject, off: readonly string[]): Promise<Finding[]> {
  const { Spectral, Document } = load('@stoplight/spectral-core') as Core;
  const { Json } = load('@stoplight/spectral-parsers') as { readonly Json: unknown };
  const { oas } = load('@stoplight/spectral-rulesets') as { readonly oas: object };
  const owasp = load('@stoplight/spectral-owasp-ruleset') as object;
  const spectral = new Spectral();
  spectral.setRuleset({
    extends: [
      [oas, 'all'],
      [owasp, 'all'],
    ],
    rules: Object.fromEntries(off.map((rule) => [rule, 'off'])),
  });
  return spectral.run(new Document(JSON.stringify(withoutExamples(document)), Json, 'openapi.json'));
}

/** Rules of schemas take examples for schemas. */
function withoutExamples(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutExamples(member)]));
}

const isAnsweredBy = ({ rule, at }: LintAnswer, { code, path }: Finding): boolean =>
  rule === code && (at === undefined || at.test(path.join('/')));

const documents = [
  ['callers', publicOpenApi, []],
  ['administrators', adminOpenApi, [CREDENTIALS_IN_URL]],
] as const;

describe('the OpenAPI documents, by the rules of OpenAPI and of OWASP,', () => {
  const findings = new Map<string, readonly Finding[]>();
  beforeAll(async () => {
    for (const [whose, openApi, off] of documents) findings.set(whose, await lint(openApi(), off));
  });

  it.each(documents.map(([whose]) => whose))('have no finding that is not answered: that of %s', (whose) => {
    const open = findings.get(whose)?.filter((finding) => !lintAnswers.some((answer) => isAnsweredBy(answer, finding)));
    expect(open?.map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`)).toEqual([]);
  });

  it('have a finding for each answer', () => {
    const all = [...findings.values()].flat();
    const idle = lintAnswers.filter((answer) => !all.some((finding) => isAnsweredBy(answer, finding)));
    expect(idle.map(({ rule, at }) => `${rule} ${String(at)}`)).toEqual([]);
  });

  it('name no credential as a parameter of administrators, which the rule for it cannot see', () => {
    const found = JSON.stringify(adminOpenApi()).matchAll(/"name":"([^"]+)","in":"(?:query|path)"/g);
    const names = [...found].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => /secret|password|token|api[-_]?key$/i.test(name))).toEqual([]);
  });
});
