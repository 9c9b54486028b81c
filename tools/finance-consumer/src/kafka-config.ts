import { readFileSync } from 'node:fs';
import type { KafkaConfig, SASLOptions } from 'kafkajs';

const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/**
 * How the brokers are reached. A cluster that asks for it gets KAFKA_SSL (`true`), KAFKA_SSL_CA_FILE, and
 * KAFKA_SASL_MECHANISM with KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD: secrets never come by the command line.
 */
export function kafkaConfig(brokers: string, env: NodeJS.ProcessEnv): KafkaConfig {
  const caFile = env['KAFKA_SSL_CA_FILE'];
  const sasl = saslOptions(env);
  return {
    clientId: 'finance-consumer',
    brokers: brokers
      .split(',')
      .map((broker) => broker.trim())
      .filter((broker) => broker !== ''),
    ...(caFile !== undefined && caFile !== ''
      ? { ssl: { ca: [readFileSync(caFile, 'utf8')] } }
      : { ssl: env['KAFKA_SSL'] === 'true' }),
    ...(sasl === undefined ? {} : { sasl }),
  };
}

function saslOptions(env: NodeJS.ProcessEnv): SASLOptions | undefined {
  const wanted = env['KAFKA_SASL_MECHANISM'];
  if (wanted === undefined || wanted === '') return undefined;
  const mechanism = mechanisms.find((known) => known === wanted);
  const [username, password] = [env['KAFKA_SASL_USERNAME'], env['KAFKA_SASL_PASSWORD']];
  if (mechanism === undefined) throw new Error(`KAFKA_SASL_MECHANISM must be one of ${mechanisms.join(', ')}`);
  if (username === undefined || password === undefined) {
    throw new Error('KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD must be set with KAFKA_SASL_MECHANISM');
  }
  // Each mechanism is a type of its own to kafkajs, with the same members.
  return { mechanism, username, password };
}
