import { expect, it } from '@jest/globals';
import { internalHeaders } from '@capability-router/contracts';
import { AddressOwner, NAME_FORGOTTEN_MS } from './address-owner.js';

/** Answers at one address, over time. */
function address() {
  const state = { nowMs: 5_000 };
  const owner = new AddressOwner('billing', NAME_FORGOTTEN_MS, () => state.nowMs);
  const isAnother = (status: number, name?: string): boolean =>
    owner.isAnother({ status, headers: name === undefined ? {} : { [internalHeaders.answeredBy]: name } });
  return { state, isAnother };
}

it('is believed without a name until it has named itself, and after that a minute after its last name', () => {
  const { state, isAnother } = address();
  expect(isAnother(404)).toBe(false);
  expect(isAnother(404, 'billing')).toBe(false);
  state.nowMs += 10 * NAME_FORGOTTEN_MS;
  // Nothing was asked of it for long: the minute begins with what it answers.
  expect(isAnother(404)).toBe(true);
  state.nowMs += NAME_FORGOTTEN_MS - 1;
  expect([isAnother(200), isAnother(401)]).toEqual([false, true]);
  state.nowMs += 1;
  expect([isAnother(404), isAnother(401)]).toEqual([false, false]);
  expect(isAnother(200, 'identity')).toBe(true);
});

it('is not believed without a name as long as it gives one now and then', () => {
  const { state, isAnother } = address();
  for (let turn = 0; turn < 5; turn += 1) {
    expect(isAnother(200, 'billing')).toBe(false);
    state.nowMs += NAME_FORGOTTEN_MS - 1;
    expect(isAnother(404)).toBe(true);
  }
});
