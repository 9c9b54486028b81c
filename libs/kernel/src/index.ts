export * from './clock.js';
export * from './credits.js';
export * from './errors.js';
export * from './ids.js';
export * from './json.js';
export * from './result.js';
