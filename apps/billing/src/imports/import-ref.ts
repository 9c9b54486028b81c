import { uuidv7 } from '@capability-router/kernel';

declare const importRefBrand: unique symbol;
/** `imp_` + 32 hex digits: what names an imported model call in the ledger, the audit and its settlement. */
export type ImportRef = string & { readonly [importRefBrand]: true };

/** The audit row has the UUID inside the reference, as that of an execution has. */
export function newImportRef(nowMs: number): { readonly importRef: ImportRef; readonly usageEventId: string } {
  const usageEventId = uuidv7(nowMs);
  return { importRef: `imp_${usageEventId.replaceAll('-', '')}` as ImportRef, usageEventId };
}
