import type { KafkaConnection, KafkaLogin, KafkaTls } from '@capability-router/event-bus/kafka';
import { ConfigError, type EnvValues } from './load-env.js';
import { clientCredentials } from './oauth-client-credentials.js';
import { certificateFile, settingFile } from './setting-files.js';
import { flag, integer, list, oneOf, text, url } from './validators.js';

const MAX_PARTITIONS = 1_000;

/** Variables of everything that reads or writes topics: services, `prepare`, the command line, readers of the public topics. */
export const kafkaEnvSpec = {
  KAFKA_BROKERS: list({ desc: 'Kafka bootstrap brokers, comma-separated.', example: 'kafka-0:9092,kafka-1:9092' }),
  KAFKA_SSL: flag({
    desc: 'Connections to the brokers use TLS; so they do where KAFKA_SSL_CA_FILE or KAFKA_SSL_CERT_FILE is set.',
    default: false,
  }),
  KAFKA_SSL_CA_FILE: text({
    desc: 'PEM file of the CAs that sign the certificates of the brokers. Without it, those that Node knows. This file and the others are read again with each connection.',
    default: undefined,
    example: '/etc/kafka/ca.crt',
  }),
  KAFKA_SSL_CERT_FILE: text({
    desc: 'PEM file of the certificate by which the brokers know this client.',
    default: undefined,
    example: '/etc/kafka/user.crt',
  }),
  KAFKA_SSL_KEY_FILE: text({
    desc: 'PEM file of the key of that certificate.',
    default: undefined,
    example: '/etc/kafka/user.key',
  }),
  KAFKA_SASL_MECHANISM: oneOf(['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'], {
    desc: 'How this client logs in to the brokers. Without it, it does not.',
    default: undefined,
    example: 'scram-sha-512',
  }),
  KAFKA_SASL_USERNAME: text({ desc: 'User of plain and scram.', default: undefined, example: 'capability-router' }),
  KAFKA_SASL_PASSWORD: text({ desc: 'Password of that user.', default: undefined }),
  KAFKA_SASL_PASSWORD_FILE: text({
    desc: 'File of that password, instead of KAFKA_SASL_PASSWORD.',
    default: undefined,
    example: '/etc/kafka/password',
  }),
  KAFKA_SASL_TOKEN_FILE: text({
    desc: 'File of the token of oauthbearer, kept fresh by somebody else, such as a projected token of a service account.',
    default: undefined,
    example: '/var/run/secrets/kafka/token',
  }),
  KAFKA_SASL_TOKEN_URL: url(['http', 'https'], {
    desc: 'Token endpoint of oauthbearer, asked for a token by the client credentials grant, instead of KAFKA_SASL_TOKEN_FILE.',
    default: undefined,
    example: 'https://login.example.com/oauth2/token',
  }),
  KAFKA_SASL_CLIENT_ID: text({ desc: 'Client that is named to the token endpoint.', default: undefined }),
  KAFKA_SASL_CLIENT_SECRET: text({ desc: 'Secret of that client.', default: undefined }),
  KAFKA_SASL_CLIENT_SECRET_FILE: text({
    desc: 'File of that secret, instead of KAFKA_SASL_CLIENT_SECRET.',
    default: undefined,
  }),
  KAFKA_SASL_SCOPE: text({ desc: 'Scope that is asked for there.', default: undefined, example: 'kafka' }),
  TOPIC_PARTITIONS: integer({
    desc: 'Partitions of each topic that is keyed by account, tool or capability: what `prepare` makes topics with, and the least that a service finds. Never changed for topics that exist: keys would move. Without it, what docs/topics.md says.',
    min: 1,
    max: MAX_PARTITIONS,
    default: undefined,
  }),
};

export type KafkaConfig = EnvValues<typeof kafkaEnvSpec>;

/** @throws ConfigError where settings do not go together, or name a file that is of no use */
export function kafkaConnectionOf(values: KafkaConfig): KafkaConnection {
  const tls = tlsOf(values);
  const login = loginOf(values);
  return {
    brokers: values.KAFKA_BROKERS,
    ...(tls === undefined ? {} : { tls }),
    ...(login === undefined ? {} : { login }),
  };
}

function tlsOf(values: KafkaConfig): KafkaTls | undefined {
  const { KAFKA_SSL: on, KAFKA_SSL_CA_FILE: ca, KAFKA_SSL_CERT_FILE: cert, KAFKA_SSL_KEY_FILE: key } = values;
  if ((cert === undefined) !== (key === undefined)) {
    const [missing, given] = cert === undefined ? ['CERT', 'KEY'] : ['KEY', 'CERT'];
    throw new ConfigError({ [`KAFKA_SSL_${missing}_FILE`]: `must be set together with KAFKA_SSL_${given}_FILE` });
  }
  if (!on && ca === undefined && cert === undefined) return undefined;
  return {
    ...(ca === undefined ? {} : { ca: certificateFile('KAFKA_SSL_CA_FILE', ca) }),
    ...(cert === undefined ? {} : { cert: certificateFile('KAFKA_SSL_CERT_FILE', cert) }),
    ...(key === undefined ? {} : { key: settingFile('KAFKA_SSL_KEY_FILE', key) }),
  };
}

function loginOf(values: KafkaConfig): KafkaLogin | undefined {
  const mechanism = values.KAFKA_SASL_MECHANISM;
  if (mechanism === undefined) {
    const stray = Object.entries(values).find(([name, value]) => name.startsWith('KAFKA_SASL_') && value !== undefined);
    if (stray === undefined) return undefined;
    throw new ConfigError({ KAFKA_SASL_MECHANISM: `must be set together with ${stray[0]}` });
  }
  if (mechanism === 'oauthbearer') return { mechanism, token: tokenOf(values) };
  const username = values.KAFKA_SASL_USERNAME;
  const password = secretOf(values, 'KAFKA_SASL_PASSWORD');
  if (username === undefined) throw missing('KAFKA_SASL_USERNAME', mechanism);
  if (password === undefined) throw missing('KAFKA_SASL_PASSWORD', mechanism);
  return { mechanism, username, password };
}

function tokenOf(values: KafkaConfig): () => Promise<string> {
  const { KAFKA_SASL_TOKEN_FILE: file, KAFKA_SASL_TOKEN_URL: tokenUrl, KAFKA_SASL_SCOPE: scope } = values;
  if (file !== undefined && tokenUrl !== undefined) {
    throw new ConfigError({ KAFKA_SASL_TOKEN_FILE: 'cannot be set together with KAFKA_SASL_TOKEN_URL' });
  }
  if (file !== undefined) {
    const read = settingFile('KAFKA_SASL_TOKEN_FILE', file);
    return async () => read();
  }
  if (tokenUrl === undefined) throw missing('KAFKA_SASL_TOKEN_FILE or KAFKA_SASL_TOKEN_URL', 'oauthbearer');
  const clientId = values.KAFKA_SASL_CLIENT_ID;
  const clientSecret = secretOf(values, 'KAFKA_SASL_CLIENT_SECRET');
  if (clientId === undefined) throw missing('KAFKA_SASL_CLIENT_ID', 'oauthbearer');
  if (clientSecret === undefined) throw missing('KAFKA_SASL_CLIENT_SECRET', 'oauthbearer');
  return clientCredentials({ tokenUrl, clientId, clientSecret, ...(scope === undefined ? {} : { scope }) });
}

/** By a setting, or by the file that the setting with `_FILE` names. */
function secretOf(
  values: KafkaConfig,
  name: 'KAFKA_SASL_PASSWORD' | 'KAFKA_SASL_CLIENT_SECRET',
): (() => string) | undefined {
  const value = values[name];
  const path = values[`${name}_FILE`];
  if (path === undefined) return value === undefined ? undefined : () => value;
  if (value !== undefined) throw new ConfigError({ [name]: `cannot be set together with ${name}_FILE` });
  return settingFile(`${name}_FILE`, path);
}

const missing = (name: string, mechanism: string): ConfigError =>
  new ConfigError({ [name]: `is missing: KAFKA_SASL_MECHANISM=${mechanism} needs it` });
