import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@capability-router/kernel';
import { toolContract } from '../../../test-support/tool-contract.js';
import { classifyAnswer } from './classify-outcome.js';
import { inFields } from './in-fields.js';

const wanted = {
  mapping: { degrees: { from: '$.t' }, rows: { from: '$.rows' } },
  fields: { degrees: { type: 'number', required: false }, rows: { type: 'array', required: false } },
} as const;

/** The part of a tool's answer that is left. */
function leftOf(data: JsonValue) {
  const classified = classifyAnswer({ kind: 'answered', data }, toolContract().price);
  return inFields({ classified, data, serialized: Buffer.from(JSON.stringify(data)), fromCache: false }, wanted);
}

describe('what a tool answered to a query', () => {
  it.each<[string, JsonValue]>([
    ['does not fit', { t: 'of the tool', note: 'of the tool' }],
    ['is empty once it is mapped', { rows: [], note: 'of the tool' }],
  ])('is not kept beside the attempts after it where it %s', (_what, data) => {
    const { classified, ...left } = leftOf(data);
    expect(classified.success).toBe(false);
    expect([left.data, left.serialized?.toString()]).toEqual([{}, '{}']);
  });

  it('is what is billed where it serves', () => {
    const data = { t: 21, note: 'of the tool' };
    expect(leftOf(data)).toMatchObject({ data, shown: { data: { degrees: 21 } } });
  });
});
