/** Examples of what no recording shows whole: by the id of the operation. A test judges them by the schemas, as the recorded ones. */
import { apiSuccess } from '@capability-router/contracts';
import type { JsonValue } from '@capability-router/kernel';

export interface HandExample {
  readonly request?: JsonValue;
  readonly answer?: JsonValue;
}

const success = (data: JsonValue): JsonValue => ({ ...apiSuccess(data) });
const accountId = `acc_${'1'.padStart(32, '0')}`;
const keyId = '00000000-0000-7000-8000-000000000001';
const hash = '1'.padStart(64, '0');
const time = '2026-01-01T00:00:00Z';
const proposal = { schema_hash: hash };
const manifest =
  '{"kind":"category","slug":"weather","name":{"en":"Weather"},"description":{"en":"Weather of today."}}\n';
const contract =
  '{"capability_id":"geo.distance","name":{"en":"Distance"},"description":{"en":"Of two places."},"parameters_schema":{"type":"object"},"result_schema":{"type":"object"},"candidates":[],"effect":"read_only","sample_parameters":{}}\n';
const report = (id: string, name: string): string =>
  `{"row":1,"line":1,"${name}":"${id}","result":"created"}\n{"summary":{"rows":1,"dry_run":false,"results":{"created":1},"elapsed_ms":4}}\n`;

export const handExamples: Readonly<Record<string, HandExample>> = {
  getResult: { answer: '{"rows":[1,2,3]}' },
  exportUsage: { answer: 'id,event_type,success,charge_outcome,actual_amount_credits\n' },
  exportLedger: { answer: 'id,entry_type,amount_credits,created_at\n' },
  getKeySet: { answer: { keys: [{ kty: 'RSA', n: 'AAAA', e: 'AQAB', kid: 'k1', alg: 'RS256', use: 'sig' }] } },
  registerAgent: { request: { agent_name: 'planner', model: 'large-1', purpose: 'compares prices' } },
  verifyClaim: {
    request: { claim_code: `clm_${'1'.padStart(26, '0')}`, email: 'a@example.org', code: '123456' },
    answer: success({
      status: 'claimed',
      account_id: accountId,
      email: 'a@example.org',
      api_key_still_valid: true,
      remaining_credits: 50,
    }),
  },
  listSecurityLog: {
    answer: success({
      items: [
        {
          entry_id: keyId,
          action: 'key.revoked',
          account_id: accountId,
          actor: { type: 'account', account_id: accountId, api_key_id: keyId, credential_type: 'api_key' },
          object: { type: 'api_key', id: keyId },
          occurrences: 1,
          recorded_at: time,
          chain: accountId,
          entry_seq: 1,
          hash,
        },
      ],
    }),
  },
  listDeploymentCredentials: {
    answer: success({
      items: [{ provider_id: 'weather', fields: [{ field: 'token', key_id: 'k1', set_at: time, sealed_at: time }] }],
      current_key_id: 'k1',
      sealed_with: [{ key_id: 'k1', credentials: 1, known: true }],
    }),
  },
  rotateSealingKey: {
    request: { after: 'deployment/weather' },
    answer: success({ current_key_id: 'k2', resealed: 1, unreadable_count: 0, unreadable: [] }),
  },
  importUsage: {
    request: {
      events: [
        { import_id: 'call-1', account_id: accountId, model: 'large-1', occurred_at: time, amount_credits: 0.25 },
      ],
    },
  },
  importCatalogue: { request: manifest, answer: report('weather', 'id') },
  importContracts: { request: contract, answer: report('geo.distance', 'capability_id') },
  getManifestSchema: { answer: { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Manifest' } },
  readAllLedgerEntries: { answer: '' },
  publishTool: { request: proposal },
  approveTool: {
    request: proposal,
    answer: success({ tool_id: 'weather.now.get.v1', status: 'published', version: 2, changed: true }),
  },
  rejectTool: { request: proposal },
  retireTool: { request: proposal },
  restoreTool: { request: proposal },
  retireContract: { request: proposal },
  restoreContract: { request: proposal },
  rotateAccountKey: { request: { overlap_seconds: 3_600 } },
  writeOffException: {
    request: { note: 'the account is closed' },
    answer: success({
      exception_id: `xcp_${'1'.padStart(32, '0')}`,
      account_id: accountId,
      kind: 'uncollected',
      state: 'written_off',
      amount_credits: 0.5,
      closed_at: time,
    }),
  },
};
