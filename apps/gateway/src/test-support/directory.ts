import type { AccountAssertion, VerifiedCredential } from '@capability-router/contracts';
import { ManualClock } from '@capability-router/kernel';
import { Registry } from 'prom-client';
import { CredentialDirectory } from '../credentials/credential-directory.js';
import { GatewayMetrics } from '../metrics.js';

export const account: AccountAssertion = {
  accountId: 'acc_1',
  accountKind: 'formal',
  credentialType: 'api_key',
  apiKeyId: 'key-1',
  scopes: [],
};

/** A directory whose questions are answered by hand. */
export function directory() {
  const clock = new ManualClock(0);
  const questions: ((answer: VerifiedCredential | undefined | Error) => void)[] = [];
  const lease = { covered: true, nowMs: () => 0, covers: () => lease.covered };
  const checks = {
    sign: async (subject: AccountAssertion) => `signed ${subject.accountId}`,
    verify: () =>
      new Promise<VerifiedCredential | undefined>((resolve, reject) => {
        questions.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
      }),
  };
  const metrics = new GatewayMetrics(new Registry());
  const credentials = new CredentialDirectory(checks, lease, clock, { credentialCacheMs: 30_000 }, metrics);
  /** `also`: what identity says of the credential beside whose it is. */
  const answer = async (
    index: number,
    value: AccountAssertion | undefined | Error,
    also: Partial<VerifiedCredential> = {},
  ): Promise<void> => {
    const isNone = value === undefined || value instanceof Error;
    questions[index]?.(isNone ? value : { valid: true, assertion: value, ...also });
    await new Promise(setImmediate);
  };
  const hits = async (): Promise<number | undefined> => (await metrics.credentialCacheHits.get()).values[0]?.value;
  return { clock, credentials, questions, answer, lease, hits };
}
