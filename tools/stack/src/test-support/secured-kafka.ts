import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startKafka, type KafkaListener } from '../parts/kafka.js';
import { stackDirectory } from '../stack-state.js';
import { freePorts } from '../system/free-ports.js';
import { endProcess } from '../system/process-identity.js';
import { Authority, type Certificate } from './certificates.js';

/** A broker with every kind of listener that a company has; PEM files are named by their paths. */
export interface SecuredKafka {
  readonly folder: string;
  /** Addresses, by listener. `secured`: TLS and a login by any mechanism; `mutual`: TLS and a certificate of the client. */
  readonly brokers: Readonly<Record<'open' | 'secured' | 'mutual' | 'expired', string>>;
  /** Signed the brokers' certificates; the other signed none of them. */
  readonly caFile: string;
  readonly otherCaFile: string;
  readonly client: Certificate;
  readonly user: { readonly name: string; readonly password: string };
  /** A token that the broker takes; `lifeSeconds` may have passed. */
  token(lifeSeconds: number): string;
  stop(): Promise<void>;
}

const user = { name: 'router', password: 'a password of a test' };
const ISSUER = 'https://login.example.com';
const AUDIENCE = 'kafka';
const GRACEFUL_MS = 30_000;
const FORCED_MS = 60_000;
const jaas = 'org.apache.kafka.common.security';
const validator = 'org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler';

export async function startSecuredKafka(): Promise<SecuredKafka> {
  const folder = mkdtempSync(join(tmpdir(), 'capability-router-kafka-'));
  try {
    process.env['KAFKA_LIBS_DIR'] ??= join(stackDirectory(), 'kafka-libs');
    const authority = new Authority(folder, 'ca');
    const other = new Authority(folder, 'other-ca');
    const { jwks, token } = tokenIssuer();
    const jwksFile = join(folder, 'jwks.json');
    writeFileSync(jwksFile, jwks);
    const jwksUrl = pathToFileURL(jwksFile).href;
    const ports = (await freePorts(3)) as [number, number, number];
    const [secured, mutual, expired] = ports;
    const server = withTls(authority, authority.issue('server'));
    const listeners: readonly KafkaListener[] = [
      {
        name: 'SECURED',
        port: secured,
        protocol: 'SASL_SSL',
        settings: {
          ...server,
          'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-512,OAUTHBEARER',
          'plain.sasl.jaas.config': `${jaas}.plain.PlainLoginModule required user_${user.name}="${user.password}";`,
          'scram-sha-512.sasl.jaas.config': `${jaas}.scram.ScramLoginModule required;`,
          'oauthbearer.sasl.jaas.config': `${jaas}.oauthbearer.OAuthBearerLoginModule required;`,
          'oauthbearer.sasl.server.callback.handler.class': validator,
          'sasl.oauthbearer.jwks.endpoint.url': jwksUrl,
          'sasl.oauthbearer.jwt.validator.class': 'org.apache.kafka.common.security.oauthbearer.BrokerJwtValidator',
          'sasl.oauthbearer.expected.audience': AUDIENCE,
          'sasl.oauthbearer.expected.issuer': ISSUER,
        },
      },
      { name: 'MUTUAL', port: mutual, protocol: 'SSL', settings: { ...server, 'ssl.client.auth': 'required' } },
      {
        name: 'EXPIRED',
        port: expired,
        protocol: 'SSL',
        settings: withTls(authority, authority.issue('expired', { expired: true })),
      },
    ];
    const broker = await startKafka(folder, {
      listeners,
      formatArgs: ['--add-scram', `SCRAM-SHA-512=[name=${user.name},password=${user.password}]`],
      // Its start is most of its life, so that better code would not pay.
      javaOptions: ['-XX:TieredStopAtLevel=1', `-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${jwksUrl}`],
    });
    const at = (port: number): string => `127.0.0.1:${port}`;
    return {
      folder,
      brokers: { open: at(broker.port), secured: at(secured), mutual: at(mutual), expired: at(expired) },
      caFile: authority.cert,
      otherCaFile: other.cert,
      client: authority.issue('client'),
      user,
      token,
      async stop() {
        await endProcess(broker.process, [
          { signal: 'SIGTERM', waitMs: GRACEFUL_MS },
          { signal: 'SIGKILL', waitMs: FORCED_MS },
        ]);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

const withTls = (authority: Authority, { both }: Certificate): Readonly<Record<string, string>> => ({
  'ssl.keystore.type': 'PEM',
  'ssl.keystore.location': both,
  'ssl.truststore.type': 'PEM',
  'ssl.truststore.location': authority.cert,
});

/** Signs tokens as somebody's sign-in does: https://www.rfc-editor.org/rfc/rfc7519 */
function tokenIssuer(): { readonly jwks: string; token(lifeSeconds: number): string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const kid = 'test';
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  return {
    jwks: JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] }),
    token(lifeSeconds) {
      const now = Math.floor(Date.now() / 1_000);
      const iat = lifeSeconds > 0 ? now - 1 : now + 2 * lifeSeconds;
      const claims = { iss: ISSUER, aud: AUDIENCE, sub: user.name, iat, exp: now + lifeSeconds };
      const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid })}.${encode(claims)}`;
      return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`;
    },
  };
}
