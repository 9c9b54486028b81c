/** Only what reads an environment is exported here: a program that must say first what is wrong with it loads nothing else. */
export * from '../runtime/faults.js';
export * from './common-env.js';
export * from './egress-env.js';
export * from './external-issuers.js';
export * from './kafka-env.js';
export * from './load-env.js';
export * from './load-together.js';
export * from './near-misses.js';
export * from './redis-env.js';
export * from './setting-files.js';
export * from './tracing-env.js';
export * from './validators.js';
