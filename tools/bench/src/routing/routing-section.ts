import { judged, table, whole } from '../report/markdown.js';
import type { DecisionsResult, DecisionTimes } from './measure-decisions.js';

/** The bar of the design, in microseconds. */
const MAX_DECISION_US = 200;

const us = (value: number): string => value.toFixed(1);

export function routingSection({ candidates, decisions, decided, sorted, leftOut }: DecisionsResult): string {
  const row = (what: string, { p50Us, cpuUs }: DecisionTimes): string[] => [what, us(p50Us), us(cpuUs)];
  return [
    `One decision which of ${candidates} candidates serve a request, in which order and why ([how](routing.md)): every reason asked for, ${us(leftOut)} candidates left out on average, every explanation written. In one process without a service, ${whole(decisions)} decisions with a seed each. The baseline is a sort of the same candidates by their price.`,
    table(['', 'p50 µs', 'CPU µs on average'], [row('a decision', decided), row('cheapest first', sorted)]),
    `Bar: ${judged(`at most ${MAX_DECISION_US} µs of CPU`, decided.cpuUs <= MAX_DECISION_US)}.`,
  ].join('\n\n');
}
