import { uuidv7 } from '@capability-router/kernel';
import type { ImportRef } from '../settlement/domain/import-ref.js';

/** The audit row has the UUID inside the reference, as that of an execution has. */
export function newImportRef(nowMs: number): { readonly importRef: ImportRef; readonly usageEventId: string } {
  const usageEventId = uuidv7(nowMs);
  return { importRef: `imp_${usageEventId.replaceAll('-', '')}` as ImportRef, usageEventId };
}
