import type { DescribedTool, DescribeToolsRequest, DescribeToolsResponse } from '@capability-router/contracts';
import { ok, type Clock } from '@capability-router/kernel';
import { jsonBody, postJson, type ServiceClient } from '@capability-router/service-kit';
import type { Tool } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { callRoute, idempotencyHeader } from '../tools/calling-tools.js';
import type { McpTool } from '../tools/mcp-tool.js';
import { describedDefinition } from './described-definition.js';
import { publishedName } from './published-name.js';

const PATH = '/internal/tools:describe';
const TIMEOUT_MS = 5_000;
/** Milliseconds for which descriptions are kept. */
const KEPT_MS = 60_000;
/** Tools of a page. */
const PAGE_TOOLS = 50;
/** Bytes of the tools of a page, beyond which it ends; a page has one at least. */
const PAGE_BYTES = 262_144;
const cursorPattern = /^after-([1-9]\d{0,3})$/;

export interface PublishedToolsOptions {
  /** In the order of the list. */
  readonly toolIds: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ToolPage {
  readonly tools: readonly Tool[];
  readonly nextCursor?: string;
}

interface Published {
  readonly name: string;
  readonly toolId: string;
  readonly tool: McpTool;
}

/** Tools of the catalogue that the operator shows to clients by their own names, with the descriptions of the registry. */
export class PublishedTools {
  private readonly all: readonly Published[];
  private readonly byName: ReadonlyMap<string, McpTool>;
  private descriptions: { readonly byId: ReadonlyMap<string, DescribedTool>; readonly atMs: number } | undefined;
  private asked: Promise<ReadonlyMap<string, DescribedTool>> | undefined;

  constructor(
    private readonly registry: ServiceClient,
    private readonly options: PublishedToolsOptions,
  ) {
    this.all = options.toolIds.map((toolId) => {
      const name = publishedName(toolId);
      return { name, toolId, tool: toolOf(name, toolId) };
    });
    this.byName = new Map(this.all.map(({ name, tool }) => [name, tool]));
  }

  named(name: string): McpTool | undefined {
    return this.byName.get(name);
  }

  /** The tools behind a cursor, or from the start. Undefined for a cursor that no page gave. Rejects while the registry cannot say what they are. */
  async pageAfter(cursor: string | undefined): Promise<ToolPage | undefined> {
    const from = cursor === undefined ? 0 : Number(cursorPattern.exec(cursor)?.[1] ?? Number.NaN);
    if (!(from <= this.all.length)) return undefined;
    if (this.all.length === 0) return { tools: [] };
    const byId = await this.described();
    const tools: Tool[] = [];
    let bytes = 0;
    let index = from;
    for (; index < this.all.length && tools.length < PAGE_TOOLS; index += 1) {
      const { name, toolId } = this.all[index] ?? {};
      const described = toolId === undefined ? undefined : byId.get(toolId);
      // A tool that is not in the catalogue by now is not shown.
      if (name === undefined || described === undefined) continue;
      const definition = describedDefinition(name, described);
      bytes += Buffer.byteLength(JSON.stringify(definition));
      if (bytes > PAGE_BYTES && tools.length > 0) break;
      tools.push(definition);
    }
    return { tools, ...(index < this.all.length ? { nextCursor: `after-${index}` } : {}) };
  }

  private async described(): Promise<ReadonlyMap<string, DescribedTool>> {
    const kept = this.descriptions;
    if (kept !== undefined && this.options.clock.nowMs() - kept.atMs < KEPT_MS) return kept.byId;
    this.asked ??= this.ask().finally(() => {
      this.asked = undefined;
    });
    try {
      return await this.asked;
    } catch (err) {
      if (kept === undefined) throw err;
      this.options.logger.warn({ err }, 'published tools are listed as they were');
      return kept.byId;
    }
  }

  private async ask(): Promise<ReadonlyMap<string, DescribedTool>> {
    const request: DescribeToolsRequest = { toolIds: this.options.toolIds };
    const response = await postJson(this.registry, PATH, request, { timeoutMs: TIMEOUT_MS, repeatable: true });
    if (response.status !== 200) throw new Error(`registry answered ${response.status} to what published tools are`);
    const { tools } = jsonBody<DescribeToolsResponse>(response);
    const byId = new Map(tools.map((tool) => [tool.toolId, tool]));
    this.descriptions = { byId, atMs: this.options.clock.nowMs() };
    return byId;
  }
}

/** A call of it is a call of the tool with the arguments as its parameters. */
const toolOf = (name: string, toolId: string): McpTool => ({
  // The tools that clients are shown come from the registry, when they ask.
  definition: { name, inputSchema: { type: 'object' } },
  refusesUnknown: true,
  route: callRoute,
  answer: 'bare',
  toRequest: (parameters, idempotencyKey) =>
    ok({
      method: 'POST',
      url: callRoute.path,
      body: { tool_id: toolId, parameters },
      headers: idempotencyHeader(idempotencyKey),
    }),
});
