export * from './recorded-exchanges.js';
