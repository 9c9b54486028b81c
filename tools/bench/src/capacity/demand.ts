import type { Demand } from './estimate.js';

const DAYS = 365;
/** Beyond it the figures would be of another kind of deployment. */
const limits = { 'calls-per-second': 1_000_000, accounts: 1_000_000_000, days: 3_650 } as const;
type Option = keyof typeof limits;

/** @throws Error that names the option and what it takes */
export function readDemand(values: Readonly<Partial<Record<Option, string>>>): Demand {
  const read = (option: Option, otherwise?: number): number => {
    const text = values[option];
    const value = text === undefined ? otherwise : Number(text);
    if (value === undefined || !Number.isInteger(value) || value < 1 || value > limits[option])
      throw new Error(
        `--${option} is a whole number from 1 to ${limits[option].toLocaleString('en')}, not ${text ?? 'absent'}.`,
      );
    return value;
  };
  return { callsPerSecond: read('calls-per-second'), accounts: read('accounts'), days: read('days', DAYS) };
}
