import { ok, warning, type Finding } from './finding.js';

/** Milliseconds that two clocks may be apart: tokens are believed within less, and a `Date` header counts whole seconds. */
const MAX_SKEW_MS = 5_000;
const MS_PER_SECOND = 1_000;

/** `theirMs` was read between `askedMs` and `answeredMs` of this machine. */
export function clockFinding(check: string, theirMs: number, askedMs: number, answeredMs: number): Finding {
  const ahead = theirMs > answeredMs ? theirMs - answeredMs : Math.min(0, theirMs - askedMs);
  if (Math.abs(ahead) <= MAX_SKEW_MS) return ok(check, 'agrees with the clock of this machine');
  const seconds = Math.round(Math.abs(ahead) / MS_PER_SECOND);
  return warning(
    check,
    `is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the clock of this machine`,
    'Find out which of the two is wrong, and let NTP set it: a replica whose clock disagrees with its database serves nothing.',
  );
}
