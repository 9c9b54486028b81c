import { describe, expect, it } from '@jest/globals';
import { statementName } from './trace-statements.js';

describe('the name of a statement in a trace', () => {
  it.each([
    ['SELECT amount FROM holds WHERE account_id = $1', 'SELECT holds'],
    ['\n  insert INTO "usage_events" (id) VALUES ($1)', 'INSERT usage_events'],
    ['UPDATE account_balances SET held_micro = 1', 'UPDATE account_balances'],
    ['DELETE FROM ONLY holds', 'DELETE holds'],
    ['START TRANSACTION', 'START'],
    ['COMMIT', 'COMMIT'],
    [{ name: 'lock-consumer-positions', text: 'SELECT 1' }, 'lock-consumer-positions'],
    [{ text: 'SELECT 1' }, 'SELECT'],
    // A text that is no statement of the source is told by no word of it.
    ["'secret'", 'statement'],
    ['', 'statement'],
    [undefined, 'statement'],
  ])('of %j is %s', (asked, name) => {
    expect(statementName(asked)).toBe(name);
  });
});
