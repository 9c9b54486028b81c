/** @long-run It builds the last release, and follows the notes of the upgrade from it. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FullResults } from './pods/full-results.js';
import { baseOn, generatedSecrets, overlayOfNotes } from './pods/objects.js';
import { buildCommit, lastRelease } from './pods/older-build.js';
import { PodStand, type Closers } from './pods/pod-stand.js';
import { Release } from './pods/release.js';
import { secretsOn } from './pods/secrets.js';

/** Milliseconds. */
const LIMIT_MS = 900_000;

/** The pods of the last release that CHANGELOG.md names, by its own `deploy/base`, and then those of this build, by today's with the overlay of the notes. */
describe('an upgrade from the last release', () => {
  const closers: Closers = [];
  let stand: PodStand;
  let older: string;

  beforeAll(async () => {
    stand = await PodStand.open(closers);
    older = join(stand.scratch, 'older');
    await buildCommit(await lastRelease(), older);
  }, LIMIT_MS);
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  }, LIMIT_MS);

  it(
    'by its notes, prepare first and billing before the others, loses no request and no full result under load',
    async () => {
      const { stack, images } = stand;
      // There was one image for all programs.
      const olderImages = (): string => older;
      const secrets = secretsOn(stack, await generatedSecrets(olderImages));
      const release = await Release.of('', [...baseOn(stack, join(older, 'deploy/base')), ...secrets], olderImages);
      closers.push(() => release.stop());
      await release.prepare();
      await release.start();
      const { traffic, another } = await stand.openAccounts(release);
      const overlay = overlayOfNotes(join(stand.scratch, 'overlay'));
      const upgrade = async (): Promise<void> => {
        release.apply([...baseOn(stack, overlay), ...secrets], images);
        await release.prepare();
        await release.upgrade(['billing']);
      };
      await traffic.during(() => new FullResults(release.origin, another).during(upgrade));
      expect(release.broken).toEqual([]);
      await traffic.expectCharged(stand.books, stand.searchBooks);
    },
    LIMIT_MS,
  );

  it('leaves books that agree', () => stand.expectAgreement(), LIMIT_MS);
});
