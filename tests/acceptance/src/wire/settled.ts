import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { listUsage } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { execute } from '../support/execute.js';
import { call } from '../support/http.js';
import { asObject, asString, type JsonObject } from '../support/json.js';
import type { CorpusProvider, ToolName } from './corpus-provider.js';

const MS_PER_HOUR = 3_600_000;
/** Milliseconds that a slice may take. */
const LONGEST_SLICE_MS = 15_000;

/** No call of the account waits for its settlement any more. */
export async function settled(key: string): Promise<void> {
  await eventually(async () => {
    const { json } = await call('GET', '/auth/credits', { key });
    expect(asObject(json['data'], 'data')['held_credits']).toBe(0);
  });
}

/** A call whose settlement is final; its execution id. It is not recorded. */
export async function settledCall(
  key: string,
  provider: CorpusProvider,
  name: ToolName,
  more: JsonObject = {},
): Promise<string> {
  const { json } = await execute(key, { toolId: provider.idOf(name), parameters: { size: 3 } }, more);
  const executionId = asString(json['execution_id'], 'execution_id');
  await eventually(async () => {
    const [row] = await listUsage(key, { execution_id: executionId });
    expect(row?.['settlement_result'] ?? null).not.toBeNull();
  });
  await settled(key);
  return executionId;
}

/** The events of one slice are in one bucket of an hour. */
export async function awayFromTheHour(): Promise<void> {
  const leftMs = MS_PER_HOUR - (Date.now() % MS_PER_HOUR);
  if (leftMs < LONGEST_SLICE_MS) await sleep(leftMs);
}
