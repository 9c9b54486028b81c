import { describeEventBus } from './conformance/event-bus.conformance.js';
import { createKafkaStack } from './conformance/kafka-stack.js';
import { replicasThroughNest } from './conformance/through-nest.js';

// As the services read: on Kafka and through Nest.
describeEventBus('Kafka', async () => replicasThroughNest(await createKafkaStack()));
