import type { PriceRule, ProviderAuth, ToolManifest } from '@capability-router/contracts';
import type { ToolFilter } from './matches-glob.js';

/** The decisions of whoever imports about the tools of a source. */
export interface ImportChoices extends ToolFilter {
  readonly providerId: string;
  readonly price: PriceRule;
  /** Slugs that exist. */
  readonly categories: readonly string[];
  /** Instead of what the source says. */
  readonly auth?: ProviderAuth;
  readonly timeoutMs: number;
  /** Ids that tools of this source have, by their key at the source. */
  readonly knownIds: Readonly<Record<string, string>>;
}

export interface ImportedTool {
  /** The name of the tool at its source, by which it keeps its id: `GET /pets/{id}`, the name of an MCP tool. */
  readonly key: string;
  readonly tool: ToolManifest;
  /** The parts of the source that could not be taken over, in sentences. */
  readonly notes: readonly string[];
}

export interface SkippedTool {
  readonly key: string;
  /** A sentence. */
  readonly reason: string;
}

export interface Conversion {
  readonly tools: readonly ImportedTool[];
  readonly skipped: readonly SkippedTool[];
}

/** Tools that one source may have after its filter. */
export const MAX_IMPORTED_TOOLS = 2_000;

/** This tool cannot be imported; the message says why, in a sentence. */
export class NotImportable extends Error {
  override readonly name = 'NotImportable';
}
