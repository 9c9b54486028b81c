import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { asyncApiDocument, publicTopics } from './public-events.js';

/** The members of `@asyncapi/parser` that are used, which only `npm run test:stack` installs, since it is large. */
interface AsyncApiParser {
  parse(document: string): Promise<{
    readonly document?: {
      version(): string;
      channels(): { all(): readonly { address(): string | null }[] };
    };
    readonly diagnostics: readonly { readonly severity: number }[];
  }>;
}

const folder = process.env['TEST_ASYNCAPI_PARSER'];
if (folder === undefined) throw new Error('TEST_ASYNCAPI_PARSER is not set: npm run test:stack installs the parser');
const { Parser } = createRequire(join(folder, 'package.json'))('@asyncapi/parser') as {
  readonly Parser: new () => AsyncApiParser;
};

/** As the parser counts severities, from 0 on. */
const ERROR = 0;
const isError = ({ severity }: { readonly severity: number }): boolean => severity === ERROR;

describe('the AsyncAPI document', () => {
  it('is valid and describes every public topic', async () => {
    const { document, diagnostics } = await new Parser().parse(asyncApiDocument());
    expect(diagnostics.filter(isError)).toEqual([]);
    expect(document?.version()).toBe('3.1.0');
    const addresses = document
      ?.channels()
      .all()
      .map((channel) => channel.address());
    expect(addresses).toEqual(publicTopics.map(({ name }) => name));
  });

  it('would be refused if a channel pointed at a message that is not there', async () => {
    const broken = asyncApiDocument().replace('#/components/messages/UsageSettled', '#/components/messages/Elsewhere');
    const { diagnostics } = await new Parser().parse(broken);
    expect(diagnostics.filter(isError).length).toBeGreaterThan(0);
  });
});
