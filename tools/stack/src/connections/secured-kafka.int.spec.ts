import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import {
  createKafka,
  createTransactionalProducer,
  lookAtBrokers,
  silentLogger,
  type BrokersLook,
} from '@capability-router/event-bus/kafka-client';
import { TopicReader } from '@capability-router/event-bus/kafka';
import {
  ConfigError,
  envPrefixOf,
  generateInternalKeys,
  kafkaConnectionOf,
  kafkaEnvSpec,
  loadEnv,
  wantedTopics,
  wrongBrokers,
} from '@capability-router/service-kit';
import { servicesWithDatabase } from '../parts/databases.js';
import { openAdmin } from '../parts/kafka-admin.js';
import { createTopics } from '../parts/topics.js';
import { startSecuredKafka, type SecuredKafka } from '../test-support/secured-kafka.js';

const START_TIMEOUT_MS = 240_000;
const MAX_LOOKS = 5;
const POLL_MS = 100;
const PROGRAM_TIMEOUT_MS = 60_000;
/** Settings that the programs read beside those of Kafka. */
const otherSettings = (): NodeJS.ProcessEnv => {
  const { signingKeys, jwks } = generateInternalKeys();
  const databases = servicesWithDatabase.flatMap((service) =>
    ['DATABASE_URL', 'DATABASE_OWNER_URL'].map((name) => [
      `${envPrefixOf(service)}_${name}`,
      'postgres://nobody@127.0.0.1:1/nothing',
    ]),
  );
  return {
    ...Object.fromEntries(databases),
    PUBLIC_URL: 'http://127.0.0.1:1',
    INTERNAL_SIGNING_KEY: JSON.stringify(signingKeys.gateway),
    INTERNAL_JWKS: JSON.stringify(jwks),
  };
};
const CLIENT_SECRET = 'a secret of a test';

jest.setTimeout(START_TIMEOUT_MS);

describe('a broker as companies have them', () => {
  let kafka: SecuredKafka;
  let tokenEndpoint: Server;
  let tokenUrl: string;
  let passwordFile: string;

  beforeAll(async () => {
    kafka = await startSecuredKafka();
    passwordFile = join(kafka.folder, 'password');
    writeFileSync(passwordFile, `${kafka.user.password}\n`);
    await createTopics({ brokers: [kafka.brokers.open] }, { partitions: 1 });
    tokenEndpoint = createServer((request, response) => {
      const known =
        request.headers.authorization ===
        `Basic ${Buffer.from(`router:${encodeURIComponent(CLIENT_SECRET)}`).toString('base64')}`;
      response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(known ? { access_token: kafka.token(300), expires_in: 300 } : { error: 'invalid_client' }),
      );
    });
    tokenEndpoint.listen(0, '127.0.0.1');
    await once(tokenEndpoint, 'listening');
    tokenUrl = `http://127.0.0.1:${(tokenEndpoint.address() as AddressInfo).port}/token`;
  });
  afterAll(async () => {
    tokenEndpoint.close();
    await kafka.stop();
  });

  const settings = (over: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
    KAFKA_BROKERS: kafka.brokers.secured,
    KAFKA_SSL_CA_FILE: kafka.caFile,
    TOPIC_PARTITIONS: '1',
    ...over,
  });
  const byPassword = (mechanism: string): NodeJS.ProcessEnv => ({
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: kafka.user.name,
    KAFKA_SASL_PASSWORD_FILE: passwordFile,
  });
  const byClient = (secret: string): NodeJS.ProcessEnv => ({
    KAFKA_SASL_MECHANISM: 'oauthbearer',
    KAFKA_SASL_TOKEN_URL: tokenUrl,
    KAFKA_SASL_CLIENT_ID: 'router',
    KAFKA_SASL_CLIENT_SECRET: secret,
  });
  const optionsOf = (env: NodeJS.ProcessEnv) => ({
    ...kafkaConnectionOf(loadEnv(kafkaEnvSpec, env)),
    clientId: 'test',
    logger: silentLogger,
  });
  /** A broker that is away, as it seems on a busy machine, is looked at again. */
  const look = async (over: NodeJS.ProcessEnv): Promise<BrokersLook> => {
    const env = settings(over);
    const options = optionsOf(env);
    const wanted = wantedTopics(undefined, loadEnv(kafkaEnvSpec, env));
    for (let tries = 1; ; tries += 1) {
      const found = await lookAtBrokers(options, wanted);
      if (found.state !== 'away' || tries === MAX_LOOKS) return found;
    }
  };
  /** The sentence with which a service refuses to start; empty where it starts. */
  const refusal = async (over: NodeJS.ProcessEnv): Promise<string> =>
    wrongBrokers(await look(over), loadEnv(kafkaEnvSpec, settings(over)))?.message ?? '';

  it('lets a client in by TLS and PLAIN, SCRAM-SHA-512, OAUTHBEARER, or a certificate', async () => {
    const tokenFile = join(kafka.folder, 'token');
    writeFileSync(tokenFile, kafka.token(300));
    expect(await look(byPassword('plain'))).toEqual({ state: 'ok' });
    expect(await look(byPassword('scram-sha-512'))).toEqual({ state: 'ok' });
    expect(await look(byClient(CLIENT_SECRET))).toEqual({ state: 'ok' });
    expect(await look({ KAFKA_SASL_MECHANISM: 'oauthbearer', KAFKA_SASL_TOKEN_FILE: tokenFile })).toEqual({
      state: 'ok',
    });
    const { cert, key } = kafka.client;
    const mutual = { KAFKA_BROKERS: kafka.brokers.mutual, KAFKA_SSL_CERT_FILE: cert, KAFKA_SSL_KEY_FILE: key };
    expect(await look(mutual)).toEqual({ state: 'ok' });
  });

  it('carries transactions and consumer groups behind them', async () => {
    const options = optionsOf(settings(byPassword('scram-sha-512')));
    const producer = createTransactionalProducer(createKafka(options), 'secured');
    await producer.connect();
    const transaction = await producer.transaction();
    await transaction.send({ topic: topicNames.ledgerRoots, messages: [{ key: 'no event', value: 'of ours' }] });
    await transaction.commit();
    await producer.disconnect();
    const reader = new TopicReader(options);
    // The end of what was committed is known a moment after the commit is answered.
    let read = await reader.read(topicNames.ledgerRoots, { handle: () => undefined });
    while (read.malformed === 0) {
      await pause(POLL_MS);
      read = await reader.read(topicNames.ledgerRoots, { handle: () => undefined });
    }
    await reader.close();
    expect(read).toEqual({ events: 0, malformed: 1, expired: false });
  });

  it('is let in with what a file holds by the time of each connection', async () => {
    const client = createKafka(optionsOf(settings(byPassword('scram-sha-512'))));
    const connects = async (): Promise<boolean> => {
      const admin = client.admin({ retry: { retries: 0 } });
      const connected = await admin.connect().then(
        () => true,
        () => false,
      );
      await admin.disconnect();
      return connected;
    };
    expect(await connects()).toBe(true);
    writeFileSync(passwordFile, 'the password of tomorrow');
    expect(await connects()).toBe(false);
    writeFileSync(passwordFile, kafka.user.password);
    expect(await connects()).toBe(true);
  });

  it('refuses a certificate of another CA and an expired one by the name of the setting', async () => {
    const strange = await refusal({ ...byPassword('plain'), KAFKA_SSL_CA_FILE: kafka.otherCaFile });
    expect(strange).toMatch(/KAFKA_SSL_CA_FILE: no TLS with the brokers \(.*\); give the file of the CA/);
    expect(await refusal({ KAFKA_BROKERS: kafka.brokers.expired })).toMatch(
      /KAFKA_SSL_CA_FILE: .*certificate has expired/,
    );
  });

  it('refuses a wrong password, secret, token or mechanism by the name of the setting', async () => {
    const wrong = { KAFKA_SASL_PASSWORD_FILE: undefined, KAFKA_SASL_PASSWORD: 'wrong' };
    const says = (setting: string) => new RegExp(`${setting}: the brokers do not let this client in`);
    expect(await refusal({ ...byPassword('plain'), ...wrong })).toMatch(says('KAFKA_SASL_PASSWORD'));
    expect(await refusal({ ...byPassword('scram-sha-512'), ...wrong })).toMatch(says('KAFKA_SASL_PASSWORD'));
    expect(await refusal(byPassword('scram-sha-256'))).toMatch(says('KAFKA_SASL_PASSWORD_FILE'));
    expect(await refusal(byClient('wrong'))).toMatch(says('KAFKA_SASL_CLIENT_SECRET'));
    const tokenFile = join(kafka.folder, 'bad-token');
    const byFile = { KAFKA_SASL_MECHANISM: 'oauthbearer', KAFKA_SASL_TOKEN_FILE: tokenFile };
    const signedByNobody = kafka.token(300).replace(/\.[^.]*$/, `.${Buffer.alloc(256).toString('base64url')}`);
    for (const token of [kafka.token(-300), signedByNobody]) {
      writeFileSync(tokenFile, token);
      expect(await refusal(byFile)).toMatch(says('KAFKA_SASL_TOKEN_FILE'));
    }
  });

  it('refuses topics with too few partitions or another retention, and waits for those that nobody has made', async () => {
    const enter = byPassword('plain');
    expect(await refusal({ ...enter, TOPIC_PARTITIONS: '' })).toMatch(
      /KAFKA_BROKERS: .*executions\.v1 has 1 partition\(s\) instead of 24.*set TOPIC_PARTITIONS/,
    );
    const admin = openAdmin({ brokers: [kafka.brokers.open] }, 'test');
    await admin.connect();
    const retention = (value: string) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [{ type: 2, name: topicNames.executions, configEntries: [{ name: 'retention.ms', value }] }],
      });
    await retention('1000');
    expect(await refusal(enter)).toMatch(/executions\.v1 has retention\.ms=1000 instead of 2592000000/);
    await retention('2592000000');
    await admin.deleteTopics({ topics: [topicNames.searches] });
    await admin.disconnect();
    expect(await look(enter)).toEqual({ state: 'missing', reason: `the brokers show no ${topicNames.searches}` });
  });

  it('ends a service and prepare with one sentence', () => {
    const env = { ...byPassword('plain'), KAFKA_SSL_CA_FILE: kafka.otherCaFile };
    for (const program of ['apps/gateway/dist/main.js', 'tools/stack/dist/prepare.js']) {
      const { status, stderr } = spawnSync(
        process.execPath,
        [fileURLToPath(new URL(`../../../../${program}`, import.meta.url))],
        {
          env: { PATH: process.env['PATH'], ...settings(env), ...otherSettings() },
          encoding: 'utf8',
          timeout: PROGRAM_TIMEOUT_MS,
        },
      );
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(/KAFKA_SSL_CA_FILE: no TLS with the brokers/),
      });
    }
  });

  it('refuses settings that do not go together, and files of no use, before it connects', () => {
    const problem = (over: NodeJS.ProcessEnv): unknown => {
      try {
        return optionsOf(settings(over));
      } catch (error) {
        return error instanceof ConfigError ? error.problems : error;
      }
    };
    expect(problem({ KAFKA_SASL_MECHANISM: 'plain' })).toEqual({
      KAFKA_SASL_USERNAME: 'is missing: KAFKA_SASL_MECHANISM=plain needs it',
    });
    expect(problem({ KAFKA_SASL_USERNAME: 'router' })).toEqual({
      KAFKA_SASL_MECHANISM: 'must be set together with KAFKA_SASL_USERNAME',
    });
    expect(problem({ KAFKA_SSL_CERT_FILE: kafka.client.cert })).toEqual({
      KAFKA_SSL_KEY_FILE: 'must be set together with KAFKA_SSL_CERT_FILE',
    });
    expect(problem({ KAFKA_SSL_CA_FILE: passwordFile })).toEqual({
      KAFKA_SSL_CA_FILE: expect.stringMatching(/holds no certificate in PEM/),
    });
    expect(problem({ KAFKA_SSL_CA_FILE: '/nowhere' })).toEqual({ KAFKA_SSL_CA_FILE: expect.stringMatching(/ENOENT/) });
  });
});
