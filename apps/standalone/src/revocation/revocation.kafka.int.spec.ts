import { randomUUID } from 'node:crypto';
import { createKafkaEventBus } from '@capability-router/event-bus/kafka';
import { requireEnvironment } from '@capability-router/event-store/testing';
import { createLogger } from '@capability-router/service-kit';
import { describeRevocation } from './revocation.conformance.js';

/** Names this run, because identity's relay must not fence that of another deployment on the same broker. */
const transactionalIdPrefix = `revocation-${randomUUID()}-`;

describeRevocation('Kafka', (name) =>
  createKafkaEventBus({
    brokers: requireEnvironment('TEST_KAFKA_BROKERS').split(','),
    clientId: name,
    logger: createLogger('gateway', 'silent'),
    transactionalIdPrefix,
  }),
);
