import type { Conversion } from './domain/imported.js';
import type { ListedTool, McpChoices } from './mcp/domain/to-tools.js';
import type { OpenApiChoices } from './openapi/domain/to-tools.js';

export interface ConversionSettings {
  /** Milliseconds of one task. */
  readonly timeoutMs: number;
}

/** The conversion that a process is asked for. */
export type ConversionTask =
  | {
      readonly kind: 'openapi';
      /** The texts of documents by their addresses. */
      readonly texts: Readonly<Record<string, string>>;
      /** Address of the document that is converted, `''` where it has none. */
      readonly base: string;
      readonly allowExternalRefs: boolean;
      readonly choices: OpenApiChoices;
    }
  | { readonly kind: 'mcp'; readonly listed: readonly ListedTool[]; readonly choices: McpChoices };

export interface DocumentInfo {
  readonly openapi: string;
  readonly title?: string;
  readonly version?: string;
  readonly description?: string;
  /** Where it breaks the rules of OpenAPI. */
  readonly faults: readonly string[];
}

export interface ConversionDone extends Conversion {
  readonly kind: 'done';
  readonly document?: DocumentInfo;
}

export type ConversionAnswer =
  | ConversionDone
  /** The same task is to be asked for again, with the documents at these addresses. */
  | { readonly kind: 'needs'; readonly addresses: readonly string[] }
  /** The source cannot be read; `message` is a sentence without its full stop. */
  | { readonly kind: 'refused'; readonly message: string };
