import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { adminOpenApi } from './admin-document.js';
import { publicOpenApi } from './public-document.js';

/** The members of `@redocly/openapi-core` that are used, which only `npm run test:stack` installs. */
interface Redocly {
  createConfig(config: { readonly extends: readonly string[] }): Promise<object>;
  lintFromString(options: {
    readonly source: string;
    readonly config: object;
  }): Promise<readonly { readonly ruleId: string; readonly message: string }[]>;
}

const folder = process.env['TEST_REDOCLY'];
if (folder === undefined) throw new Error('TEST_REDOCLY is not set: npm run test:stack installs Redocly');
const entry = createRequire(join(folder, 'package.json')).resolve('@redocly/openapi-core');

describe.each([
  ['callers', publicOpenApi],
  ['administrators', adminOpenApi],
])('the OpenAPI document of %s', (_of, openApi) => {
  let redocly: Redocly;
  beforeAll(async () => {
    redocly = (await import(pathToFileURL(entry).href)) as Redocly;
  });
  const findings = async (source: string): Promise<string[]> => {
    const config = await redocly.createConfig({ extends: ['recommended-strict'] });
    return (await redocly.lintFromString({ source, config })).map(({ ruleId, message }) => `${ruleId}: ${message}`);
  };

  it('has no finding of the strict rules', async () => {
    expect(await findings(JSON.stringify(openApi()))).toEqual([]);
  });

  it('would have one if an answer had a schema that is not there', async () => {
    const broken = JSON.stringify(openApi()).replace('#/components/schemas/Failure"', '#/components/schemas/None"');
    expect((await findings(broken)).length).toBeGreaterThan(0);
  });
});
