import type { PriceRule } from '@capability-router/contracts';
import { parseCredits } from '@capability-router/kernel';

/** Bytes. A code point takes at most four in UTF-8, and JSON Schema counts code points. */
const MAX_BYTES_PER_CHARACTER = 4;
const BYTES_PER_KILOBYTE = 1_024;

const micro = (credits: string): string => parseCredits(credits).toString();

export const free: PriceRule = { metering: { kind: 'call' }, amountMicroCredits: '0', unitLabel: 'call' };

/** `credits`: decimal string. */
export const perCall = (credits: string): PriceRule => ({
  metering: { kind: 'call' },
  amountMicroCredits: micro(credits),
  unitLabel: 'call',
});

/** Per element of `rows` in the result, bounded by the parameter `limit`. */
export const perRow = (credits: string, minimum: string, limit: { default: number; maximum: number }): PriceRule => ({
  metering: {
    kind: 'result_rows',
    path: 'rows',
    limitParameter: 'limit',
    defaultLimit: limit.default,
    maxUnits: limit.maximum,
  },
  amountMicroCredits: micro(credits),
  minimumMicroCredits: micro(minimum),
  unitLabel: 'row',
});

/** Per started kilobyte of a string parameter of at most `maxLength` characters. */
export const perKilobyte = (credits: string, minimum: string, parameter: string, maxLength: number): PriceRule => ({
  metering: {
    kind: 'parameter_kilobytes',
    parameter,
    maxUnits: Math.ceil((maxLength * MAX_BYTES_PER_CHARACTER) / BYTES_PER_KILOBYTE),
  },
  amountMicroCredits: micro(credits),
  minimumMicroCredits: micro(minimum),
  unitLabel: 'kilobyte',
});
