/**
 * A hold took credits that a posting had counted on: the write failed on the constraint `available_never_negative`.
 * Nothing is written once the transaction is rolled back; a new try sees the hold.
 */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof Error && (error as { constraint?: unknown }).constraint === 'available_never_negative';
