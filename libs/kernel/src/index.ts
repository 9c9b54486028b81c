export * from './api-key-format.js';
export * from './clock.js';
export * from './credits.js';
export * from './errors.js';
export * from './ids.js';
export * from './json.js';
export * from './json-nesting.js';
export * from './result.js';
