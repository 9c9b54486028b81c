import type { ValidationDetail } from '@capability-router/contracts';
import { receivedOf, type JsonValue } from '@capability-router/kernel';

type Loc = ValidationDetail['loc'];

/** Faults, at most `limit`, for numbers that are beyond those of JavaScript, such as `1e400`: JSON's reader makes infinity of them, which nobody asked for. */
export function endlessNumbers(parameters: JsonValue, limit: number): ValidationDetail[] {
  // Nearly always there is none, and a place is only made for one that is there.
  if (!holdsEndless(parameters)) return [];
  const details: ValidationDetail[] = [];
  const look = (value: JsonValue, loc: Loc): void => {
    if (details.length === limit) return;
    if (isEndless(value)) {
      details.push({
        type: 'finite_number',
        loc,
        msg: 'Input should be a finite number; this one is beyond ±1.79e308',
        received: receivedOf(undefined, value),
      });
    } else if (Array.isArray(value)) value.forEach((item, index) => look(item, [...loc, index]));
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) look(member, [...loc, name]);
    }
  };
  look(parameters, ['body', 'parameters']);
  return details;
}

const isEndless = (value: JsonValue): boolean => typeof value === 'number' && !Number.isFinite(value);

function holdsEndless(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return isEndless(value);
  return Array.isArray(value) ? value.some(holdsEndless) : Object.values(value).some(holdsEndless);
}
