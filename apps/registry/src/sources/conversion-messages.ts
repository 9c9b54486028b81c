import type { JsonValue } from '@capability-router/kernel';
import type { Conversion } from './domain/imported.js';
import type { ListedTool, McpChoices } from './mcp/domain/to-tools.js';
import type { OpenApiChoices } from './openapi/domain/to-tools.js';

/** What the thread is asked to convert. */
export type ConversionTask =
  | {
      readonly kind: 'openapi';
      readonly document: { readonly text: string } | { readonly value: JsonValue };
      /** Address of the document, `''` where it has none. */
      readonly base: string;
      readonly allowExternalRefs: boolean;
      readonly choices: OpenApiChoices;
    }
  | { readonly kind: 'mcp'; readonly listed: readonly ListedTool[]; readonly choices: McpChoices };

/** The texts of documents that it asked for, by address. */
export interface MoreDocuments {
  readonly kind: 'documents';
  readonly texts: Readonly<Record<string, string>>;
}

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
  | { readonly kind: 'needs'; readonly addresses: readonly string[] }
  /** It cannot be read; a sentence without its end. */
  | { readonly kind: 'refused'; readonly message: string };
