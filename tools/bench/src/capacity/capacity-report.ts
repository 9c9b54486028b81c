import type { CallCost } from '../call-cost/call-cost.js';
import { table } from '../report/markdown.js';
import type { Assumptions } from './assumptions.js';
import type { Demand, Estimate } from './estimate.js';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
const STEP = 1_000;

/** Three digits, in units of 1,000. */
export function bytes(count: number): string {
  let [value, unit] = [count, 0];
  while (value >= STEP && unit < UNITS.length - 1) [value, unit] = [value / STEP, unit + 1];
  return `${Number(value.toPrecision(3))} ${UNITS[unit]}`;
}

const number = (value: number): string => Number(value.toPrecision(3)).toLocaleString('en');

/** The estimate as Markdown, with what it rests on. */
export function capacityReport(demand: Demand, found: Estimate, cost: CallCost, given: Assumptions): string {
  const { callsPerSecond, accounts, days } = demand;
  const [first, second] = found.limits;
  return [
    `${callsPerSecond.toLocaleString('en')} paid calls a second, day and night, by ${accounts.toLocaleString('en')} accounts; data of ${days} days.`,
    table(
      ['Service', 'Cores', 'Replicas', 'Memory of each'],
      found.services.map(({ name, cores, replicas, memoryBytes }) => [
        name,
        number(cores),
        String(replicas),
        bytes(memoryBytes),
      ]),
    ),
    table(
      ['Database', 'Cores', 'WAL a second', 'Growth a day', 'Accounts', `After ${days} days`],
      found.databases.map((one) => [
        one.service,
        number(one.cores),
        bytes(one.walBytesPerSecond),
        bytes(one.bytesPerDay),
        bytes(one.bytesOfAccounts),
        bytes(one.bytesAfter),
      ]),
    ),
    `Images of pages add at most ${bytes(found.walPageImageBytesPerSecond)} a second of WAL to all of them together, right after a checkpoint.`,
    table(
      ['Topic', 'Bytes a second', `Kept after ${days} days, one copy`],
      found.topics.map(({ name, bytesPerSecond, bytesKept }) => [
        `\`${name}\``,
        bytes(bytesPerSecond),
        bytes(bytesKept),
      ]),
    ),
    `Brokers: ${found.brokers.count}, which write ${bytes(found.brokers.bytesPerSecond)} a second together and need disks of ${bytes(found.brokers.diskBytes)} each. ` +
      `${found.servers.map(({ name, cores }) => `${name} takes ${number(cores)} cores`).join(', ')}.`,
    `Partitions of the topic of executions: ${found.partitions.needed} processes of billing have to share them, and there are ${found.partitions.there}.`,
    `First bottleneck: ${first?.what} at ${number(first?.callsPerSecond ?? Number.NaN)} calls a second; then ${second?.what} at ${number(second?.callsPerSecond ?? Number.NaN)}.`,
    table(
      ['Full at calls a second', 'What'],
      found.limits.map(({ what, callsPerSecond: limit }) => [number(limit), what]),
    ),
    `Bytes were measured on ${cost.measuredOn} over ${cost.calls.toLocaleString('en')} calls at ${cost.connections} connections (${cost.machine}); processor time is that of [performance.md](performance.md).`,
    table(
      ['Assumption', 'Value'],
      Object.entries(given).map(([name, value]) => [`\`${name}\``, value.toLocaleString('en')]),
    ),
  ].join('\n\n');
}
