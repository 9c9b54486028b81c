import { parseCredits } from '@capability-router/kernel';
import type { Candidate } from '../domain/candidate.js';

/** Verified, with a thousand calls, for half a credit. */
export const sampleCandidate = (over: Partial<Candidate> = {}): Candidate => ({
  toolId: 'geokit.distance.compute.v1',
  providerId: 'geokit',
  hasBoundContract: true,
  isAllowedInRegion: true,
  missingParameters: [],
  verification: 'verified',
  successes: 980,
  failures: 20,
  p95Ms: 200,
  admittedShare: 1,
  upperPrice: parseCredits('0.5'),
  dataAgeMs: 0,
  ...over,
});
