import { Kafka, type Admin, type KafkaConfig } from 'kafkajs';
import { patchIdleTimer } from '@capability-router/event-bus/kafkajs-timer-patch';

export { logLevel, type Admin } from 'kafkajs';

/** Not connected yet. Its idle connections arm no timer, as those of the services do not. */
export function openAdmin(config: KafkaConfig): Admin {
  patchIdleTimer();
  return new Kafka(config).admin();
}
