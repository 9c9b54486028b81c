import { describe, expect, it } from '@jest/globals';
import { toolContract } from '../../../test-support/tool-contract.js';
import { factsOf } from './execution-facts.js';
import { refusedEnd } from '../../journal/domain/ends.js';
import { invalidParameters, invalidRequest, regionRestricted } from './refusals.js';

const details = [
  { type: 'int_type', loc: ['body', 'parameters', 'year'], msg: 'Input should be an integer', input: 'My Secret' },
  { type: 'missing', loc: ['body', 'parameters', 'city'], msg: 'Field required' },
];

describe('a refusal over parameters', () => {
  it('names each field, what is allowed, what was got, and what to do next', () => {
    const { message } = invalidParameters(toolContract(), details);
    expect(message).toContain('parameters.year: Input should be an integer (got "My Secret")');
    expect(message).toContain('parameters.city: Field required');
    expect(message).toMatch(/POST \/tools\/by-ids/);
    expect(invalidRequest(details).message).toContain('(got "My Secret")');
  });

  it('shows a bounded part of what was got', () => {
    const long = { ...details[0], input: 'x'.repeat(150) } as (typeof details)[0];
    expect(invalidParameters(toolContract(), [long]).message).toMatch(/\(got "x{59}…\)/);
  });

  it('is recorded without what the caller sent: events hold no payloads', () => {
    const facts = factsOf({
      executionId: 'exec_1' as never,
      assertion: { accountId: 'acc_1', accountKind: 'formal', credentialType: 'api_key', scopes: [] },
      partial: {},
    });
    const tool = toolContract({
      parametersSchema: { type: 'object', properties: { year: { type: 'integer' }, city: { type: 'string' } } },
    });
    for (const refusal of [invalidParameters(tool, details), invalidRequest(details)]) {
      const end = JSON.stringify(refusedEnd(facts, refusal, 0, 1));
      expect(end).toContain('parameters.year: Input should be an integer');
      expect(end).not.toContain('Secret');
    }
  });

  it('is recorded without names that the caller gave', () => {
    const tool = toolContract({
      parametersSchema: {
        type: 'object',
        properties: { labels: { type: 'object', additionalProperties: { type: 'string' } } },
      },
    });
    const theirs = [
      { type: 'string_type', loc: ['body', 'parameters', 'labels', 'My Secret'], msg: 'Input should be a string' },
      { type: 'extra_forbidden', loc: ['body', 'parameters', 'My Secret'], msg: 'Unknown field' },
    ];
    const { message, recordedMessage } = invalidParameters(tool, theirs);
    expect(message).toContain('parameters.labels.My Secret: Input should be a string');
    expect(recordedMessage).toContain('parameters.labels: Input should be a string; parameters: Unknown field.');
  });
});

describe('a refusal over regions', () => {
  const tool = toolContract({ region: 'US|CA' });

  it('says whose region is what, and what helps', () => {
    expect(regionRestricted(tool, 'CH').message).toMatch(/"US\|CA".*region CH.*Search for another one/);
    expect(regionRestricted(tool, undefined).message).toMatch(/without a region.*administrator/);
  });
});
