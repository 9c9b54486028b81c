import { describeEventBus } from './conformance/event-bus.conformance.js';
import { createKafkaStack } from './conformance/kafka-stack.js';

describeEventBus('Kafka', createKafkaStack);
