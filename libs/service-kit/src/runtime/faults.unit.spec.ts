import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { loadFaults, withFaults } from './faults.js';

const labels = { relay: 'billing-relay' };

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a fault point', () => {
  it('kills the process after the given number of passes, at its own point only', () => {
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    const faults = loadFaults({ FAULTS_ENABLED: 'true', FAULT_POINT: 'after-commit', FAULT_AFTER_CALLS: '2' });
    for (let call = 0; call < 2; call += 1) {
      faults.reached('after-hold');
      faults.reached('after-commit');
    }
    expect(kill).not.toHaveBeenCalled();
    faults.reached('after-commit');
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGKILL');
  });

  it('of a relay is where events were read and not yet published', () => {
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    const relayed = jest.fn();
    const faults = loadFaults({ FAULTS_ENABLED: 'true', FAULT_POINT: 'before-publish' });
    const metrics = withFaults({ eventsRelayed: relayed }, faults);
    metrics.eventsRelayed?.(labels, 1);
    expect(relayed).toHaveBeenCalledWith(labels, 1);
    expect(kill).not.toHaveBeenCalled();
    metrics.eventsRead?.(labels, 1);
    expect(kill).toHaveBeenCalledTimes(1);
  });

  it('of a consumer group holds the process once, where a batch of that group was read and nothing of it is done', () => {
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    const faults = loadFaults({
      FAULTS_ENABLED: 'true',
      FAULT_POINT: 'before-effect',
      FAULT_SIGNAL: 'SIGSTOP',
      FAULT_CONSUMER: 'billing.settlement',
    });
    const metrics = withFaults({}, faults);
    metrics.batchRead?.({ group: 'billing.usage-audit', topic: 'executions' });
    metrics.batchApplied?.({ group: 'billing.settlement', topic: 'executions' });
    expect(kill).not.toHaveBeenCalled();
    metrics.batchRead?.({ group: 'billing.settlement', topic: 'executions' });
    metrics.batchRead?.({ group: 'billing.settlement', topic: 'executions' });
    expect(kill.mock.calls).toEqual([[process.pid, 'SIGSTOP']]);
  });

  it('is ignored unless faults are enabled', () => {
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    loadFaults({ FAULT_POINT: 'after-hold' }).reached('after-hold');
    expect(kill).not.toHaveBeenCalled();
  });
});
