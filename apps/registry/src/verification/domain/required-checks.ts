import { verificationChecks, type ToolContract, type VerificationCheck } from '@capability-router/contracts';

type Subject = Pick<ToolContract, 'binding' | 'freshness'>;

/** A tool that shows no credential needs none, and one that says nothing of the time of its data promises none. */
export function requiredChecks({ binding, freshness }: Subject): readonly VerificationCheck[] {
  const needsCredential = binding.kind !== 'builtin' && binding.auth.kind !== 'none';
  return verificationChecks.filter(
    (name) => (name !== 'authentication' || needsCredential) && (name !== 'freshness' || freshness !== undefined),
  );
}
