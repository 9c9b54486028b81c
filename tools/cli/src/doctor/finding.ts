/** `skipped`: it was not looked at, because what it needs is not there. */
export type State = 'ok' | 'warning' | 'failed' | 'skipped';

/** The outcome of one look at a deployment. */
export interface Finding {
  /** E.g. `database billing`. */
  readonly check: string;
  readonly state: State;
  /** A sentence, or a part of one. */
  readonly found: string;
  /** Says what to do; there is one for each that is not `ok`. */
  readonly advice?: string;
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found });

const other =
  (state: State) =>
  (check: string, found: string, advice: string): Finding => ({ check, state, found, advice });
export const warning = other('warning');
export const failed = other('failed');
export const skipped = other('skipped');

/** Looks, and tells a look that did not get through as a finding. */
export async function lookAt(check: string, look: () => Promise<Finding>, advice: string): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return failed(check, messageOf(error), advice);
  }
}

/** Connections that failed at several addresses say so together; the first says why. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error && error.message !== '' ? (error.message.split('\n')[0] ?? '') : 'unknown error';
}
