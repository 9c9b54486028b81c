import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames, type ToolVerification, type ToolVerificationRecorded } from '@capability-router/contracts';
import type { EventBatch } from '@capability-router/event-bus';
import { untilReadable } from '@capability-router/event-store/testing';
import { ManualClock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import { sampleEvent } from '../test-support/sample-tool.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { recordVerdicts } from './record-verdicts.js';
import { VerificationCopy } from './verification-copy.js';

const NOW_MS = Date.parse('2026-03-10T12:00:00Z');
const DAY_MS = 86_400_000;
const toolId = 'geokit.distance.compute.v1';
const verdict = (at: string, status: 'passed' | 'failed'): ToolVerification => ({
  toolVersion: 2,
  policyVersion: '1',
  requiredChecks: ['live_check'],
  checks: [{ name: 'live_check', status, checkedAt: at }],
  testRunDigest: 'a'.repeat(64),
  dataAsOf: '2026-03-10T11:00:00.000Z',
  qualityIssues: [],
  recordedAt: at,
});
const recorded = (at: string, status: 'passed' | 'failed') =>
  sampleEvent('ToolVerificationRecorded', { toolId, ...verdict(at, status) }, topicNames.verifications);

const golden = new URL(`../../../../libs/contracts/golden/events/${topicNames.verifications}/`, import.meta.url);

describe('the verdicts of the registry', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it('are known to every replica, the newest of each tool, and lapse by time alone', async () => {
    const clock = new ManualClock(NOW_MS);
    const copy = new VerificationCopy(database.pool, clock);
    await copy.load();
    expect(copy.of(toolId, 2)).toEqual({ verification: 'unverified', dataAgeMs: undefined });
    const record = async (...events: EventBatch): Promise<void> => {
      await inTransaction(database.pool, (tx) => recordVerdicts(tx, events));
      await untilReadable(database.pool);
      await copy.refresh();
    };
    await record(recorded('2026-03-10T11:59:00.000Z', 'failed'));
    expect(copy.of(toolId, 2).verification).toBe('failed');
    const passed = recorded('2026-03-10T12:00:00.000Z', 'passed');
    await record(passed, recorded('2026-03-10T11:58:00.000Z', 'failed'), passed);
    expect(copy.of(toolId, 2)).toEqual({ verification: 'verified', dataAgeMs: 3_600_000 });
    expect(copy.shown(toolId, 2)).toMatchObject({ status: 'verified', expires_at: '2026-03-11T12:00:00.000Z' });
    expect(copy.of(toolId, 3)).toEqual({ verification: 'unverified', dataAgeMs: undefined });
    clock.advanceMs(DAY_MS);
    expect(copy.of(toolId, 2).verification).toBe('stale');
  });

  it('can still be read as they were once published', async () => {
    const copy = new VerificationCopy(database.pool, new ManualClock(NOW_MS));
    for (const file of readdirSync(golden)) {
      const { value } = JSON.parse(readFileSync(new URL(file, golden), 'utf8')) as { value: ToolVerificationRecorded };
      const event = sampleEvent('ToolVerificationRecorded', value, topicNames.verifications);
      await inTransaction(database.pool, (tx) => recordVerdicts(tx, [event]));
      await untilReadable(database.pool);
      await copy.refresh();
      const shown = copy.shown(value.toolId, value.toolVersion);
      expect(shown.checks.map(({ name }) => name)).toEqual(value.requiredChecks);
      expect(copy.dataAsOf(value.toolId, value.toolVersion)).toBe(value.dataAsOf);
    }
  });
});
