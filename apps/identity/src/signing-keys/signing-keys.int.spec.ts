import { ManualClock } from '@capability-router/kernel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { SigningKeys } from './signing-keys.js';

const settings = {
  publicUrl: 'http://127.0.0.1',
  sealingSecrets: [Buffer.alloc(32, 1)] as const,
  deviceSecrets: [Buffer.alloc(32, 2)] as const,
};
const TEN_MINUTES_MS = 600_000;
const UNKNOWN = '019a0000-0000-7000-8000-000000000000';

describe('the keys that sign tokens, on two replicas', () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 15, 10));
  let database: ScratchDatabase;
  let signing: SigningKeys;
  let verifying: SigningKeys;

  beforeAll(async () => {
    database = await createScratchDatabase();
    [signing, verifying] = [
      new SigningKeys(database.pool, clock, settings),
      new SigningKeys(database.pool, clock, settings),
    ];
  });
  afterAll(() => database.drop());

  it('verify with the first one at once, also where the other has just looked and found none', async () => {
    expect(await verifying.verifying(UNKNOWN)).toBeUndefined();
    const { keyId } = await signing.signing();
    expect(await verifying.verifying(keyId)).toBeDefined();
  });

  it('are looked for once a second where others are known, whoever asks', async () => {
    clock.advanceMs(1_000);
    expect(await verifying.verifying(UNKNOWN)).toBeUndefined();
    const { keyId } = await signing.rotate();
    expect(await verifying.verifying(keyId)).toBeUndefined();
    clock.advanceMs(1_000);
    expect(await verifying.verifying(keyId)).toBeDefined();
  });

  it('sign on while the secret that seals them is changed, and then under the new one alone', async () => {
    // A successor that still waits for its time is no new one.
    clock.advanceMs(TEN_MINUTES_MS);
    const [before] = settings.sealingSecrets;
    const made = Buffer.alloc(32, 3);
    const under = (...sealingSecrets: [Buffer, ...Buffer[]]): SigningKeys =>
      new SigningKeys(database.pool, clock, { ...settings, sealingSecrets });
    const { keyId } = await under(before).signing();
    expect((await under(before, made).signing()).keyId).toBe(keyId);
    expect((await under(made, before).signing()).keyId).toBe(keyId);

    // As the runbook says, before the old secret is taken away.
    const successor = await under(made, before).rotate();
    clock.advanceMs(successor.signsFromMs - clock.nowMs());
    expect((await under(made).signing()).keyId).toBe(successor.keyId);
    expect((await under(before, made).signing()).keyId).toBe(successor.keyId);
  });
});
