import { expect } from '@jest/globals';
import type { Check } from '@capability-router/contracts/answers';

/** The one way in which this suite compares a body with the specification's field tables. */
export function expectShape(body: unknown, check: Check): void {
  expect(check(body, '')).toEqual([]);
}
