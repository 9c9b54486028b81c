import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { appendOnlyTables, migrations } from '@capability-router/billing';
import { topicNames } from '@capability-router/contracts';
import { horizonSql, txOrderSql } from '@capability-router/event-store';
import { untilReadable, type ScratchDatabase } from '@capability-router/event-store/testing';
import { scratchDatabasesOf } from '@capability-router/service-kit/testing';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';
import type { Finding } from './finding.js';

/** Milliseconds. */
jest.setTimeout(120_000);

/** Nobody listens there. */
const CLOSED_PORT = 1;

describe('caprouter doctor', () => {
  let gateway: GatewayStandIn;
  let billing: ScratchDatabase;
  beforeAll(async () => {
    gateway = await GatewayStandIn.start();
    gateway.answer = { status: 200, body: { status: 'ready', data: { remaining_credits: 5, items: [] } } };
    billing = await scratchDatabasesOf({ service: 'billing', migrations, appendOnlyTables }).createScratchDatabase();
  });
  afterAll(async () => {
    await gateway.stop();
    await billing.drop();
  });

  async function findingsOf(env: NodeJS.ProcessEnv): Promise<{ code: number; of: (check: string) => Finding }> {
    const named = { CAPROUTER_GATEWAY_URL: gateway.origin, CAPROUTER_API_KEY: 'sk-environment00', ...env };
    const { code, out } = await gateway.caprouterIn(named, '', '--json', 'doctor');
    const { healthy, findings } = JSON.parse(out) as { healthy: boolean; findings: Finding[] };
    expect(healthy).toBe(code === 0);
    // Whoever reads a finding that is not well reads what to do, too.
    expect(findings.filter(({ state, advice }) => state !== 'ok' && (advice ?? '') === '')).toEqual([]);
    return {
      code,
      of: (check) => findings.find((finding) => finding.check === check) ?? { check, state: 'ok', found: 'NOT THERE' },
    };
  }
  const database = (): NodeJS.ProcessEnv => ({ BILLING_DATABASE_URL: billing.url });

  it('finds nothing where all is well, and says what it left out', async () => {
    // An administrator's key, which may not read the books of an account.
    gateway.answersTo = { '/api/v1/auth/credits': { status: 403, body: { message: 'It lacks the scope "read"' } } };
    const { code, of } = await findingsOf(database());
    gateway.answersTo = {};
    const well = ['gateway', 'clock gateway', 'key', 'providers', 'configuration', 'invariants'];
    const ofBilling = ['database', 'writes', 'clock', 'migrations', 'parked', 'outbox'].map(
      (check) => `${check} billing`,
    );
    expect(
      [...well, ...ofBilling].filter((check) => of(check).state !== 'ok' || of(check).found === 'NOT THERE'),
    ).toEqual([]);
    expect(['database identity', 'kafka', 'redis'].map((check) => of(check).state)).toEqual(Array(3).fill('skipped'));
    expect(code).toBe(0);
  });

  it('does not ask with the key of an account what only an administrator may, and says so', async () => {
    const before = gateway.requests.length;
    const { of } = await findingsOf({});
    expect(of('providers')).toMatchObject({ state: 'skipped', found: expect.stringContaining('left out') });
    const asked = gateway.requests.slice(before).map(({ line }) => line);
    expect(asked.filter((line) => line.includes('/admin/'))).toEqual([]);
  });

  it('asks with the key of the administrator that the data folder has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
    try {
      const demo = { base_url: `${gateway.origin}/api/v1`, api_key: 'sk-environment00', admin_key: 'sk-administrator' };
      writeFileSync(join(folder, 'demo.json'), JSON.stringify(demo));
      const { out } = await gateway.caprouterIn({ XDG_CONFIG_HOME: folder }, '', 'doctor', '--data-dir', folder);
      expect(out).toContain('ok       providers:');
      const at = gateway.requests.findLastIndex(({ line }) => line === 'GET /admin/v1/provider-breakers');
      expect(gateway.authorizations[at]).toBe('Bearer sk-administrator');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('asks the gateway of the data folder, and not the one that somebody has logged in to', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
    try {
      mkdirSync(join(folder, 'caprouter'));
      const elsewhere = { gateway: `http://127.0.0.1:${CLOSED_PORT}`, api_key: 'sk-environment00' };
      writeFileSync(join(folder, 'caprouter', 'login.json'), JSON.stringify(elsewhere));
      const demo = { base_url: `${gateway.origin}/api/v1`, api_key: 'sk-environment00' };
      writeFileSync(join(folder, 'demo.json'), JSON.stringify(demo));
      const { out } = await gateway.caprouterIn({ XDG_CONFIG_HOME: folder }, '', 'doctor', '--data-dir', folder);
      expect(out).toContain(`ok       gateway: ${gateway.origin} is ready`);
      const named = { XDG_CONFIG_HOME: folder, CAPROUTER_GATEWAY_URL: elsewhere.gateway };
      const asNamed = await gateway.caprouterIn(named, '', 'doctor', '--data-dir', folder);
      expect(asNamed.out).toContain(`failed   gateway: ${elsewhere.gateway} was not reached`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('tells a schema that is behind, and events that are parked, with the command that helps', async () => {
    const { rows } = await billing.owner.query<{ id: number; timestamp: string; name: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING *',
    );
    await billing.pool.query(
      `INSERT INTO parked_events (consumer_group, topic, partition_key, event_id, source_partition, source_position, event, reason)
       VALUES ('billing.accounts', 't', 'acc_1', $1, 0, '', '{}', 'it failed')`,
      [randomUUID()],
    );
    try {
      const { code, of } = await findingsOf(database());
      const [last] = rows;
      expect(of('migrations billing')).toMatchObject({
        state: 'failed',
        found: expect.stringContaining(last?.name ?? 'a name'),
        advice: expect.stringContaining('billing migrate'),
      });
      expect(of('parked billing')).toMatchObject({
        state: 'failed',
        found: 'billing.accounts: 1 event(s) of 1 key(s)',
        advice: expect.stringContaining('caprouter parked replay'),
      });
      expect(code).toBe(1);
    } finally {
      await billing.pool.query('DELETE FROM parked_events');
      for (const { id, timestamp, name } of rows) {
        await billing.owner.query('INSERT INTO migrations (id, timestamp, name) VALUES ($1, $2, $3)', [
          id,
          timestamp,
          name,
        ]);
      }
    }
  });

  it('tells a database that refuses writes, what that means for money, and the way out', async () => {
    const set = (setting: string): Promise<unknown> =>
      billing.owner.query(`ALTER DATABASE ${new URL(billing.url).pathname.slice(1)} ${setting}`);
    await set('SET default_transaction_read_only = on');
    try {
      const { code, of } = await findingsOf(database());
      expect(of('writes billing')).toEqual({
        check: 'writes billing',
        state: 'failed',
        found: expect.stringMatching(/default_transaction_read_only is on, by database\): no hold can be placed/),
        advice: expect.stringContaining('docs/runbooks/database-full.md'),
      });
      expect([of('database billing').state, code]).toEqual(['ok', 1]);
    } finally {
      await billing.owner.query('SET default_transaction_read_only = off');
      await set('RESET default_transaction_read_only');
    }
    expect((await findingsOf(database())).of('writes billing').state).toBe('ok');
  });

  it('looks for room on the disk of a database by a temporary file that is larger than its memory', async () => {
    const name = new URL(billing.url).pathname.slice(1);
    await billing.owner.query(`ALTER DATABASE ${name} SET temp_file_limit = '512kB'`);
    try {
      expect((await findingsOf(database())).of('writes billing')).toMatchObject({
        state: 'skipped',
        found: expect.stringContaining('temp_file_limit'),
      });
    } finally {
      await billing.owner.query(`ALTER DATABASE ${name} RESET temp_file_limit`);
    }
  });

  it('tells books that do not add up, and events that nobody publishes', async () => {
    await billing.owner.query(
      `INSERT INTO relay_leases (relay, holder, generation, expires_at, position) VALUES ('billing-relay', 'gone', 1, '-infinity', '')`,
    );
    await billing.owner.query(`INSERT INTO account_balances (account_id, balance_micro) VALUES ('acc_unsound', 7)`);
    try {
      const { code, of } = await findingsOf(database());
      expect(of('outbox billing')).toMatchObject({ state: 'failed', found: 'nobody publishes: billing-relay' });
      expect(of('invariants')).toMatchObject({ state: 'failed', found: expect.stringContaining('acc_unsound') });
      expect(code).toBe(1);
    } finally {
      await billing.owner.query(`DELETE FROM account_balances`);
      await billing.owner.query('DELETE FROM relay_leases');
    }
  });

  it('tells an event that waits for its topic, and passes over one that stays in its database', async () => {
    const record = (topic: string, sequence: number): Promise<unknown> =>
      billing.owner.query(
        `INSERT INTO events (tx_order, event_id, stream_id, sequence, type, source, topic, partition_key, data, meta, recorded_at)
         VALUES (1, $1, 'doctor', $2, 'T', 'billing', $3, 'k', '{}', '{}', now() - interval '1 hour')`,
        [randomUUID(), sequence, topic],
      );
    await record('local.billing.copies', 1);
    expect((await findingsOf(database())).of('outbox billing').state).toBe('ok');
    await record(topicNames.usageSettlements, 2);
    const { of } = await findingsOf(database());
    expect(of('outbox billing')).toMatchObject({ state: 'failed', found: expect.stringContaining('1 events wait') });
    await billing.owner.query('TRUNCATE events');
  });

  it('tells an entry of the ledger that waits, and the transaction that somebody left open and for which it does', async () => {
    await billing.owner.query(
      `INSERT INTO relay_leases (relay, holder, generation, expires_at, position)
       SELECT 'billing-relay' || name, 'one', 1, 'infinity', ${horizonSql} || ':0' FROM unnest(ARRAY['', '-ledger', '-balances']) AS name`,
    );
    const forgotten = await billing.owner.connect();
    try {
      await forgotten.query('BEGIN');
      await forgotten.query('SELECT pg_current_xact_id()');
      await billing.owner.query(
        `INSERT INTO ledger_entries (entry_id, account_id, entry_seq, entry_type, amount_micro, balance_before_micro, balance_after_micro,
           source_system, source_ref_type, source_ref_id, description, metadata, effective_at, created_at, previous_hash, hash, tx_order)
         VALUES ('led_doctor', 'acc_doctor', 1, 'grant', 1, 0, 1, 's', 't', 'r', 'd', '{}', now(), now() - interval '1 hour', '', '', ${txOrderSql()})`,
      );
      const { of } = await findingsOf(database());
      expect(of('outbox billing')).toMatchObject({
        state: 'failed',
        found: expect.stringMatching(
          /^1 events wait to be published by billing-relay-ledger, for 36\d\d s; 1 events wait to be published by billing-relay-balances, for/,
        ),
        advice: expect.stringContaining('transaction'),
      });
      await forgotten.query('ROLLBACK');
      await untilReadable(billing.pool);
      expect((await findingsOf(database())).of('outbox billing').advice).toContain('Kafka');
    } finally {
      await forgotten.query(
        'ROLLBACK; SET session_replication_role = replica; DELETE FROM ledger_entries; DELETE FROM relay_leases',
      );
      await forgotten.query('SET session_replication_role = DEFAULT');
      forgotten.release();
    }
  });

  it('goes on where a part is not reached or a setting is wrong', async () => {
    const { code, of } = await findingsOf({
      CAPROUTER_GATEWAY_URL: `http://127.0.0.1:${CLOSED_PORT}`,
      BILLING_DATABASE_URL: `postgres://nobody@127.0.0.1:${CLOSED_PORT}/none`,
      IDENTITY_DATABASE_URL: 'localhost',
      REDIS_URL: `redis://127.0.0.1:${CLOSED_PORT}`,
    });
    const unwell = ['gateway', 'database billing', 'configuration IDENTITY_DATABASE_URL', 'redis'];
    expect(unwell.map((check) => of(check).state)).toEqual(Array(unwell.length).fill('failed'));
    expect(of('database billing').found).toContain('ECONNREFUSED');
    expect(of('redis').found).toContain('ECONNREFUSED');
    expect(code).toBe(1);
  });

  it('tells a key that the gateway refuses', async () => {
    gateway.answer = { status: 401, body: { status: 'failure', message: 'Invalid API key' } };
    const { code, of } = await findingsOf({});
    expect(of('key')).toMatchObject({ state: 'failed', found: 'Invalid API key (401)' });
    expect(of('providers').state).toBe('skipped');
    expect(code).toBe(1);
  });
});
