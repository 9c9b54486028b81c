import { expect, it } from '@jest/globals';
import { ADAPTER_GRACE_MS, GIVE_UP_GRACE_MS, KEEP_GRACE_MS, RECORD_RETRY_DELAYS_MS } from './deadlines.js';

const retriesMs = RECORD_RETRY_DELAYS_MS.reduce((sum, ms) => sum + ms, 0);

it('leave an adapter that overruns the time to have its result kept', () => {
  expect(ADAPTER_GRACE_MS).toBeLessThan(KEEP_GRACE_MS);
});

it('leave a call whose result store hangs the time to record its end before it is given up', () => {
  expect(KEEP_GRACE_MS + retriesMs).toBeLessThan(GIVE_UP_GRACE_MS);
});
