import { allTopics, deadLetterTopic, partitionsOf, topicConfig, type ContextName } from '@capability-router/contracts';
import type { BrokersLook, WantedTopic } from '@capability-router/event-bus/kafka';
import type { KafkaConfig } from '../config/kafka-env.js';
import { ConfigError } from '../config/load-env.js';

/** The topics that a service reads and writes; all of them for a tool. */
export const wantedTopics = (service: ContextName | undefined, { TOPIC_PARTITIONS }: KafkaConfig): WantedTopic[] =>
  allTopics
    .filter(
      (topic) =>
        service === undefined ||
        topic.producer === service ||
        topic.readers.includes(service) ||
        topic.name === deadLetterTopic.name,
    )
    .map((topic) => ({
      name: topic.name,
      partitions: partitionsOf(topic, TOPIC_PARTITIONS),
      config: topicConfig(topic),
    }));

/** The fault that no waiting mends, with the settings at fault and the way out; undefined where there is none. */
export function wrongBrokers(look: BrokersLook, values: KafkaConfig): ConfigError | undefined {
  switch (look.state) {
    case 'tls':
      return new ConfigError({
        [values.KAFKA_SSL_CA_FILE === undefined ? 'KAFKA_SSL' : 'KAFKA_SSL_CA_FILE']:
          `no TLS with the brokers (${look.reason}); give the file of the CA that signed their certificate, have the certificate renewed ` +
          'where it has expired, or name brokers of a TLS listener in KAFKA_BROKERS',
      });
    case 'login':
      return new ConfigError({
        [settingOfLogin(values)]:
          `the brokers do not let this client in (${look.reason}); correct it, or make the user on the brokers, with the mechanism that ` +
          'KAFKA_SASL_MECHANISM names',
      });
    case 'topics':
      return new ConfigError({
        KAFKA_BROKERS:
          `leads to topics that are not as they have to be (${look.reason}); set TOPIC_PARTITIONS to the number that they were made with, ` +
          'and a setting by kafka-configs --alter --add-config',
      });
    default:
      return undefined;
  }
}

function settingOfLogin(values: KafkaConfig): string {
  const secrets = [
    'KAFKA_SASL_TOKEN_FILE',
    'KAFKA_SASL_CLIENT_SECRET_FILE',
    'KAFKA_SASL_CLIENT_SECRET',
    'KAFKA_SASL_PASSWORD_FILE',
    'KAFKA_SASL_PASSWORD',
  ] as const;
  return secrets.find((name) => values[name] !== undefined) ?? 'KAFKA_SASL_MECHANISM';
}
