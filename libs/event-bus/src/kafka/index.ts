// An entry of its own, so that a process on the embedded bus does not load the 143 modules of the client.
export { createKafkaEventBus, type KafkaEventBusOptions } from './create-kafka-event-bus.js';
export { type ReadOptions, type TopicRead, TopicReader } from './topic-reader.js';
export type { KafkaConnection, KafkaLogin, KafkaTls } from './kafka-connection.js';
export { type BrokersLook, lookAtBrokers, type WantedTopic } from './look-at-brokers.js';
