export * from './start-tracing.js';
export * from './trace-batches.js';
export * from './trace-clients.js';
export * from './trace-requests.js';
export * from './traceparent.js';
export * from './tracing.js';
