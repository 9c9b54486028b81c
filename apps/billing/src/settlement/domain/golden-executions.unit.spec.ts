import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { usageRowOf } from '../../usage-audit/domain/usage-row.js';
import { requestSettlement } from './request-settlement.js';

const golden = fileURLToPath(
  new URL(`../../../../../libs/contracts/golden/events/${topicNames.executions}`, import.meta.url),
);

function read(file: string): EventEnvelope {
  const { key, headers, value } = JSON.parse(readFileSync(join(golden, file), 'utf8')) as {
    key: string;
    headers: Record<string, string>;
    value: JsonObject;
  };
  return {
    id: headers['ce_id'] ?? '',
    type: headers['ce_type'] ?? '',
    source: 'execution',
    subject: headers['ce_subject'] ?? '',
    sequence: Number(headers['ce_sequence']),
    time: headers['ce_time'] ?? '',
    topic: topicNames.executions,
    partitionKey: key,
    data: value,
  };
}

/** Whether each leaves an audit row. */
const audited: Readonly<Record<string, boolean>> = {
  '0001-call-not-dispatched-of-older-builds.json': false,
  '0002-call-not-dispatched.json': false,
  '0003-call-interrupted-while-it-ran.json': true,
  '0004-capability-query-that-no-attempt-served.json': true,
};

describe('ends of executions as they were once published', () => {
  it.each(readdirSync(golden))('settle and are audited: %s', (file) => {
    const event = read(file);
    const request = requestSettlement(event);
    expect(request).toMatchObject({ billableId: event.subject, accountId: event.partitionKey, requested: 0n });
    expect([file, request?.end.audited]).toEqual([file, audited[file]]);
    expect([file, usageRowOf(event) !== undefined]).toEqual([file, audited[file]]);
  });
});
