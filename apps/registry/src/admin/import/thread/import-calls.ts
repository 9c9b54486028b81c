import type { ImportOptions, ImportSummary } from '../catalogue-import.js';
import type { ReportLine } from '../import-session.js';

/** Lines of a report, in their order, and how the import ended where it did so early. */
export interface ImportStep {
  readonly lines: readonly (ReportLine | ImportSummary)[];
  readonly end?:
    | { readonly expected: true; readonly message: string }
    | { readonly expected: false; readonly error: unknown };
}

/** Calls of the service. The thread does those of one import in the order in which they were made. */
export interface ImportCalls {
  begin(id: number, options: ImportOptions): void;
  /** `nowMs`: the time of the service, by which everything is stamped. */
  push(id: number, chunk: Uint8Array, nowMs: number): Promise<ImportStep>;
  finish(id: number, nowMs: number): Promise<ImportStep>;
  /** Forgets an import. Resolves once nothing more of it is written. */
  leave(id: number): Promise<void>;
  /** Closes whatever the thread has open. */
  close(): Promise<void>;
}

/** Reports that nobody asked for. */
export interface ImportReports {
  committed(): void;
  failed(error: unknown): void;
}

/** The data with which the thread begins. */
export interface ImportThreadData {
  readonly databaseUrl: string;
  readonly applicationName: string;
}
