import { describe, expect, it } from '@jest/globals';
import { reasonCodeMeanings, reasonCodes } from '@capability-router/contracts';
import { providerRefusals } from '@capability-router/provider-kit';
import { faultCauses } from './fault-causes.js';
import { reasonOfFault } from './domain/reason-of-fault.js';
import { notDispatched } from './domain/not-dispatched.js';

describe('the table of faults', () => {
  it('has each error of the transport and each status once', () => {
    const all = faultCauses().flatMap(({ statuses, errors }) => [...statuses, ...errors]);
    expect(all.length).toBeGreaterThan(60);
    expect(new Set(all).size).toBe(all.length);
  });

  it('has something that leads to each fault of an exchange', () => {
    for (const { fault, statuses, errors } of faultCauses()) {
      const beforeSending = (providerRefusals as readonly string[]).includes(fault);
      expect([fault, statuses.length + errors.length > 0]).toEqual([fault, !beforeSending]);
    }
  });

  it.each(providerRefusals)('agrees with what a refusal of kind %s is answered with', (fault) => {
    const refusal = notDispatched({ kind: 'failed', fault, message: 'x', retryable: false }, {});
    expect(refusal.reasonCode).toBe(reasonOfFault[fault]);
  });

  it('stands beside a cause for every reason code', () => {
    for (const code of reasonCodes) expect([code, reasonCodeMeanings[code].causes.length > 0]).toEqual([code, true]);
  });
});
