import type { KafkaConnection } from '@capability-router/event-bus/kafka-client';
import { kafkaConnectionOf, kafkaEnvSpec, loadEnv } from '@capability-router/service-kit/config';

/**
 * How the brokers are reached: by the settings of the services, but for the brokers. Secrets never come by the command line.
 *
 * @throws ConfigError that names the settings at fault
 */
export const kafkaConnection = (brokers: string, env: NodeJS.ProcessEnv): KafkaConnection =>
  kafkaConnectionOf(loadEnv(kafkaEnvSpec, { ...env, KAFKA_BROKERS: brokers }));
