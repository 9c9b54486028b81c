/** @long-run Two of the thresholds are a minute, gauges are read every ten seconds, and causes come one after the other. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { renderedAlerts } from '@capability-router/tools-stack';
import type { Cause } from './alerts/cause.js';
import { causes } from './alerts/causes.js';
import { Operator } from './alerts/operator.js';
import { Prometheus } from './alerts/prometheus.js';
import { shortRules } from './alerts/short-rules.js';
import { expectAgreement } from './aftermath.js';
import { pause } from './load.js';
import { HOOK_TIMEOUT_MS, Stand } from './stand.js';

/** Milliseconds: a minute is the longest that an expression waits by itself. */
const FIRES_WITHIN_MS = 180_000;
const ENDS_WITHIN_MS = 180_000;
const TIMEOUT_MS = FIRES_WITHIN_MS + 2 * ENDS_WITHIN_MS;
const POLL_MS = 250;

/**
 * A real Prometheus scrapes both replicas of every service and judges the rules that the chart installs; only the minutes for which they wait and
 * over which they look back are cut to seconds. Each cause is ended by the commands of its runbook.
 */
describe('the alerts of the chart, on the real stack', () => {
  let stand: Stand;
  let prometheus: Prometheus;
  let operator: Operator;

  beforeAll(async () => {
    stand = await Stand.alone();
    operator = new Operator(stand);
    const targets = stand.services.replicas.map(({ metricsUrl }) => new URL(metricsUrl).host);
    prometheus = await Prometheus.start(targets, shortRules(renderedAlerts()));
    await until('a scrape of every replica', async () => (await prometheus.up()) === targets.length, ENDS_WITHIN_MS);
  }, HOOK_TIMEOUT_MS);

  afterEach(() => stand.arrange(), HOOK_TIMEOUT_MS);

  afterAll(async () => {
    await stand.close();
    await prometheus.stop();
  }, HOOK_TIMEOUT_MS);

  it.each(causes)(
    'fire when $what, and end by docs/runbooks/$runbook: $alerts',
    async (cause) => {
      // No alert fires without its cause.
      await quiet();
      const incident = await cause.begin(stand);
      try {
        const fired = await firedUntil(cause.alerts);
        expect(fired.filter((alert) => cause.perhaps?.includes(alert) !== true)).toEqual(cause.alerts.toSorted());
        await incident.look?.(operator);
      } finally {
        await incident.mend(operator);
      }
      await firedUntil(cause.afterwards ?? []);
      await quiet();
      await operator.untilOver();
    },
    TIMEOUT_MS,
  );

  it('leaves books that agree after all of it', () => expectAgreement(stand));

  const quiet = (): Promise<void> =>
    until('the alerts to end', async () => (await prometheus.firing()).length === 0, ENDS_WITHIN_MS);

  /** All alerts that have fired when each of these has, sorted. */
  async function firedUntil(alerts: Cause['alerts']): Promise<string[]> {
    const seen = new Set<string>();
    await until(
      `${alerts.join(', ')} to fire`,
      async () => {
        for (const alert of await prometheus.firing()) seen.add(alert);
        return alerts.every((alert) => seen.has(alert));
      },
      FIRES_WITHIN_MS,
    );
    return [...seen].toSorted();
  }
});

async function until(what: string, done: () => Promise<boolean>, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await pause(POLL_MS);
  }
}
