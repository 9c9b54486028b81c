import { randomUUID } from 'node:crypto';

/** A change of what a credential may do, by whose id replicas of the gateway say that they act by it. */
export interface Change {
  readonly changeId: string;
  /** Milliseconds since the epoch. */
  readonly changedAtMs: number;
}

export const newChange = (nowMs: number): Change => ({ changeId: randomUUID(), changedAtMs: nowMs });

/** As a row of an account or a key has it. */
export const rowOfChange = ({ changeId, changedAtMs }: Change) => ({ changeId, changedAt: new Date(changedAtMs) });

/** Undefined where nothing was changed yet. */
export const changeOfRow = (row: { readonly changeId: string | null; readonly changedAt: Date | null }) =>
  row.changeId === null || row.changedAt === null
    ? undefined
    : { changeId: row.changeId, changedAtMs: row.changedAt.getTime() };
