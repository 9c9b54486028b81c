/** @long-run It assembles seven images, starts a stack of its own, and replaces twelve pods one by one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHART_PREFIX, chartOn, generatedSecrets } from './pods/objects.js';
import { PodStand, type Closers } from './pods/pod-stand.js';
import { Release } from './pods/release.js';
import { secretsOn, withoutPassword } from './pods/secrets.js';
import type { Traffic } from './pods/traffic.js';

/** Milliseconds. */
const LIMIT_MS = 900_000;

/**
 * The objects that `helm template` makes are executed where there is no cluster: each container's command and environment, as its user, from
 * its image's root file system alone, with its probes, its grace period and the strategy of its Deployment. `pods/cluster.ts` plays the
 * cluster, as far as a pod notices it.
 */
describe('the pods of the chart', () => {
  const closers: Closers = [];
  let stand: PodStand;
  let release: Release;
  let traffic: Traffic;

  beforeAll(async () => {
    stand = await PodStand.open(closers);
    const { stack, images } = stand;
    const secrets = secretsOn(stack, await generatedSecrets(images), withoutPassword(stack.redisUrl));
    release = await Release.of(CHART_PREFIX, [...chartOn(stack), ...secrets], images);
    closers.push(() => release.stop());
  }, LIMIT_MS);
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  }, LIMIT_MS);

  it(
    'come from empty databases to a paid call of `helm test`',
    async () => {
      await release.prepare();
      await release.start();
      const opened = await stand.openAccounts(release);
      traffic = opened.traffic;
      await release.test(opened.key);
      expect(release.broken).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'are replaced one by one under load, and no request is lost',
    async () => {
      await traffic.during(() => release.roll());
      expect(release.broken).toEqual([]);
      await traffic.expectCharged(stand.books, stand.searchBooks);
    },
    LIMIT_MS,
  );

  it('leave books that agree', () => stand.expectAgreement(), LIMIT_MS);
});
