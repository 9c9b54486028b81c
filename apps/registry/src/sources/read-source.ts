import type { ProviderDefinition } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import {
  classifyTransport,
  EgressClient,
  EgressRefusedError,
  isPassingStatus,
  isSuccessStatus,
  listMcpTools,
  McpListError,
  UnreadableAnswerError,
  type EgressSettings,
  type StdioCommands,
} from '@capability-router/provider-kit';
import { CONFIG } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { toolDefaults } from '../admin/manifest/documents.js';
import { toPriceRule } from '../admin/manifest/price.js';
import { ConversionPool, unusable } from './conversion-pool.js';
import type { ConversionDone } from './conversion-messages.js';
import { MAX_IMPORTED_TOOLS, type ImportChoices } from './domain/imported.js';
import { shownUrl } from './domain/shown-url.js';
import { sourceDefaults, type SourceRequest } from './source-request.js';

/** How sources are reached. */
export interface SourceAccess {
  readonly egress: EgressSettings;
  readonly stdioCommands: StdioCommands;
}

/** Bytes of one document from a URL, decompressed; of all that one import reads; and how many those may be. */
export const MAX_DOCUMENT_BYTES = 16_777_216;
const MAX_TOTAL_BYTES = 33_554_432;
const MAX_DOCUMENTS = 50;
/** Milliseconds of one document. */
const FETCH_TIMEOUT_MS = 10_000;
/** Milliseconds of all documents of one import; the gateway waits a minute for an answer. */
const FETCH_ALL_TIMEOUT_MS = 30_000;
/** Milliseconds of a list of tools. */
const LIST_TIMEOUT_MS = 20_000;

export interface ReadOptions {
  readonly request: SourceRequest;
  readonly provider: ProviderDefinition;
  readonly knownIds: Readonly<Record<string, string>>;
}

@Injectable()
export class SourceReader {
  constructor(
    @Inject(ConversionPool) private readonly conversions: ConversionPool,
    @Inject(CONFIG) private readonly config: { readonly sourceAccess: SourceAccess },
  ) {}

  /** Reads a source and makes tools of it. Throws `AppError` where it cannot be reached or read. */
  async read({ request, provider, knownIds }: ReadOptions): Promise<ConversionDone> {
    const { conversions } = this;
    const { sourceAccess: access } = this.config;
    const egress = new EgressClient(provider.egress ?? {}, { ...access.egress, maxBodyBytes: MAX_DOCUMENT_BYTES });
    try {
      const choices = choicesOf(request, knownIds);
      if (request.server !== undefined) {
        const { server } = request;
        const listed = await listTools(access, egress, server);
        return await conversions.convert({ kind: 'mcp', listed, choices: { ...choices, server } }, ['server'], () =>
          Promise.resolve({}),
        );
      }
      const fetcher = new DocumentFetcher(egress);
      const { url, document = '' } = request;
      const given = url === undefined ? document : await fetcher.fetch(url, ['url']);
      const base = url === undefined ? '' : withoutFragment(url);
      return await conversions.convert(
        {
          kind: 'openapi',
          texts: { [base]: typeof given === 'string' ? given : JSON.stringify(given) },
          base,
          allowExternalRefs: request.allow_external_refs ?? sourceDefaults.allow_external_refs,
          choices: {
            ...choices,
            maxOperations: MAX_IMPORTED_TOOLS,
            ...(request.server_url === undefined ? {} : { serverUrl: request.server_url }),
          },
        },
        [url === undefined ? 'document' : 'url'],
        (addresses) => fetcher.fetchAll(addresses),
      );
    } finally {
      await egress.destroy();
    }
  }
}

function choicesOf(request: SourceRequest, knownIds: ImportChoices['knownIds']): ImportChoices {
  const { auth, include, exclude } = request;
  return {
    providerId: request.provider.provider_id,
    price: toPriceRule(request.price ?? { amount_credits: 0 }),
    categories: request.categories ?? [],
    timeoutMs: request.timeout_ms ?? toolDefaults.timeout_ms,
    knownIds,
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(auth === undefined
      ? {}
      : {
          auth:
            auth.kind === 'oauth2_client_credentials'
              ? { kind: auth.kind, tokenUrl: auth.token_url, scopes: auth.scopes ?? [] }
              : auth,
        }),
  };
}

async function listTools(access: SourceAccess, egress: EgressClient, server: NonNullable<SourceRequest['server']>) {
  try {
    return await listMcpTools(server, {
      egress,
      commands: access.stdioCommands,
      deadlineMs: LIST_TIMEOUT_MS,
      maxTools: MAX_IMPORTED_TOOLS,
    });
  } catch (error) {
    if (!(error instanceof McpListError)) throw error;
    const field = server.transport === 'stdio' ? 'command' : 'url';
    const message = server.transport === 'stdio' ? error.message : withMasked(error.message, server.url);
    const told = message.replace(/\.$/, '');
    const where = server.transport === 'stdio' ? `The command "${server.command}"` : shownUrl(server.url);
    throw error.retryable
      ? away(`${where} could not be read: ${told}`, error)
      : unreachable(['server', field], told, error);
  }
}

/** Servers like to repeat the address in what they say of a fault. */
function withMasked(message: string, address: string): string {
  const { href, pathname, search } = new URL(address);
  const masked = message.replaceAll(address, shownUrl(address)).replaceAll(href, shownUrl(address));
  return search === '' ? masked : masked.replaceAll(`${pathname}${search}`, pathname);
}

/** Documents of one import through the egress guard. */
class DocumentFetcher {
  private documents = 0;
  private bytes = 0;
  private readonly endsAt = performance.now() + FETCH_ALL_TIMEOUT_MS;

  constructor(private readonly egress: EgressClient) {}

  async fetchAll(addresses: readonly string[]): Promise<Record<string, string>> {
    const texts: Record<string, string> = {};
    // One after another: they are the source's, and none of it is urgent.
    for (const address of addresses) texts[address] = await this.fetch(address, ['url']);
    return texts;
  }

  async fetch(address: string, loc: readonly string[]): Promise<string> {
    this.documents += 1;
    if (this.documents > MAX_DOCUMENTS) throw unusable(loc, `It refers to more than ${MAX_DOCUMENTS} documents`);
    const shown = shownUrl(address);
    let answer;
    try {
      answer = await this.egress.request(address, {
        headers: {
          accept: 'application/json, application/yaml, text/yaml, */*;q=0.5',
          'user-agent': 'capability-router',
        },
        deadlineMs: Math.min(FETCH_TIMEOUT_MS, this.endsAt - performance.now()),
      });
    } catch (error) {
      const { message, passes } = why(error);
      const told = `${shown} could not be read: ${message}`;
      throw passes ? away(told, error) : unreachable(loc, told, error);
    }
    const { status } = answer;
    if (!isSuccessStatus(status)) {
      const told = `${shown} answered ${status}`;
      throw isPassingStatus(status) ? away(told) : unreachable(loc, told);
    }
    this.bytes += answer.body.length;
    if (this.bytes > MAX_TOTAL_BYTES)
      throw unusable(loc, `Its documents have more than ${MAX_TOTAL_BYTES} bytes together`);
    return answer.body.toString('utf8');
  }
}

function why(error: unknown): { readonly message: string; readonly passes: boolean } {
  if (error instanceof EgressRefusedError)
    return { message: `${error.message}. What may be reached is set by "provider.egress"`, passes: false };
  if (error instanceof UnreadableAnswerError) return { message: error.message, passes: false };
  const { message, retryable } = classifyTransport(error, () => undefined);
  return { message: message.replace(/\.$/, ''), passes: retryable };
}

/** Seconds after which whoever asked for the source may ask again. */
const AWAY_RETRY_SECONDS = 30;

/** The source is right as far as anybody knows, and its server is not there now. */
const away = (message: string, cause?: unknown): AppError =>
  new AppError('service_unavailable', `${message}. Nothing was changed.`, {
    nextStep: 'Send the same request again when the source answers; look at its address where it never did.',
    retryAfterSeconds: AWAY_RETRY_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  });

const unreachable = (loc: readonly string[], message: string, cause?: unknown): AppError =>
  new AppError('validation_error', `${message}.`, {
    details: [{ type: 'value_error', loc: ['body', ...loc], msg: message }],
    ...(cause === undefined ? {} : { cause }),
  });

function withoutFragment(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}
