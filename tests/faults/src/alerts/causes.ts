import type { Cause } from './cause.js';
import { causesOfBuiltInTools } from './of-built-in-tools.js';
import { causesOfEvents } from './of-events.js';
import { causesOfExceptions } from './of-exceptions.js';
import { causesOfHolds } from './of-holds.js';
import { causesOfTheBooks } from './of-the-books.js';

/** They make each alert of the chart fire. */
export const causes: readonly Cause[] = [
  ...causesOfTheBooks,
  ...causesOfEvents,
  ...causesOfHolds,
  ...causesOfExceptions,
  ...causesOfBuiltInTools,
];
