export * from './builtin/builtin-adapter.js';
export * from './provider-adapter.js';
