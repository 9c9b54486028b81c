import { checkInvariants } from '@capability-router/billing/books';
import type pg from 'pg';
import { failed, lookAt, ok, type Finding } from './finding.js';

const MAX_SHOWN_IDS = 3;

/** Every invariant of balances, holds, grants and the ledger, over all of it. */
export const lookAtBooks = (billing: pg.Pool): Promise<Finding> =>
  lookAt(
    'invariants',
    async () => {
      const violations = await checkInvariants(billing);
      if (violations.length === 0) return ok('invariants', 'the books are sound');
      const said = violations.map(
        ({ invariant, ids }) => `"${invariant}" fails for ${ids.slice(0, MAX_SHOWN_IDS).join(', ')}`,
      );
      return failed(
        'invariants',
        said.join('; '),
        'Stop what writes by hand, then: caprouter ledger verify, caprouter reconcile (docs/guides/verify-the-ledger.md).',
      );
    },
    'Look at the database of billing first.',
  );
