// An entry for tools that read and administer topics: they connect as the services do, and load no more than the client.
export type { Admin, Consumer, EachBatchPayload, Kafka, Producer } from 'kafkajs';
export { silentLogger } from '../logger.js';
export { createKafka, createTransactionalProducer, type KafkaClientOptions } from './kafka-client.js';
export type { KafkaConnection } from './kafka-connection.js';
export { lookAtBrokers, type BrokersLook, type WantedTopic } from './look-at-brokers.js';
