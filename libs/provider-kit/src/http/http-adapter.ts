import type { HttpBinding } from '@capability-router/contracts';
import type { JsonValue } from '@capability-router/kernel';
import type { ProviderChannels } from '../channels/provider-channels.js';
import type { ProviderChannel } from '../channels/provider-channel.js';
import { isFailure, type Authorizer } from '../credentials/authorizer.js';
import type { ProviderCredential } from '../credentials/credential-source.js';
import type { Secrets } from '../credentials/secrets.js';
import type { EgressResponse } from '../egress/index.js';
import { classifyStatus, isSuccessStatus } from '../faults/http-status.js';
import { classifyTransport } from '../faults/classify-transport.js';
import { providerWords } from '../faults/provider-words.js';
import { within } from '../flow/within.js';
import type { JsonPathPool } from '../jsonpath/json-path-pool.js';
import {
  failure,
  unsent,
  type ProviderAdapter,
  type ProviderAnswer,
  type ProviderRequest,
} from '../provider-adapter.js';
import { buildRequest, signRequest, type UnsignedRequest } from './build-request.js';
import { parseBody, selectResult, textOfBody } from './read-result.js';

export interface HttpAdapterParts {
  readonly channels: ProviderChannels;
  readonly authorizer: Authorizer;
  readonly jsonPaths: JsonPathPool;
  /** Faults of bindings and of this deployment, which an operator has to look at. */
  readonly report: (toolId: string, error: unknown) => void;
}

const UNAUTHORIZED = 401;

interface HttpCall extends ProviderRequest {
  readonly binding: HttpBinding;
}

/** Calls tools that are HTTP requests. */
export class HttpAdapter implements ProviderAdapter {
  constructor(private readonly parts: HttpAdapterParts) {}

  async call(request: ProviderRequest): Promise<ProviderAnswer> {
    const { binding, toolId } = request;
    if (binding.kind !== 'http') throw new Error(`${toolId} is no HTTP tool`);
    try {
      return await this.callHttp({ ...request, binding });
    } catch (error) {
      // An egress policy, a template or a path that cannot be read: the catalogue's fault, not the caller's.
      this.parts.report(toolId, error);
      return failure('execution_failed', 'The tool is not set up rightly in this deployment.', { retryable: false });
    }
  }

  private async callHttp(call: HttpCall): Promise<ProviderAnswer> {
    const { binding, parameters, provider } = call;
    const channel = this.parts.channels.of(provider);
    const unsigned = buildRequest(binding, parameters);
    if (!unsigned.ok) return failure('invalid_parameters', unsigned.error, { retryable: false });
    const credential = await this.parts.authorizer.credentialFor(binding.auth, call);
    if (isFailure(credential)) return credential;
    const retrySafe = binding.retrySafe ?? binding.method === 'GET';
    return channel.run(call, retrySafe, (remainingMs) =>
      this.attempt(call, channel, unsigned.value, credential, remainingMs),
    );
  }

  private async attempt(
    call: HttpCall,
    channel: ProviderChannel,
    unsigned: UnsignedRequest,
    credential: ProviderCredential,
    remainingMs: number,
  ): Promise<ProviderAnswer> {
    const endsAt = performance.now() + remainingMs;
    const egress = channel.egressFor(call);
    const { authorizer, report } = this.parts;
    const { binding, signal, toolId } = call;
    for (let renewed = false; ; renewed = true) {
      const authorization = await within(
        authorizer.authorize(binding.auth, credential, call, egress),
        endsAt - performance.now(),
      );
      // A request that was sent before was refused as unauthorized, so nothing came of it.
      if (isFailure(authorization)) return unsent(authorization);
      const { url, headers, body } = signRequest(unsigned, authorization);
      let response: EgressResponse;
      try {
        response = await egress.request(url, {
          method: binding.method,
          headers,
          ...(body === undefined ? {} : { body }),
          deadlineMs: endsAt - performance.now(),
          ...(signal === undefined ? {} : { signal }),
        });
      } catch (error) {
        return classifyTransport(error, (cause) => report(toolId, authorization.secrets.redactError(cause)));
      }
      // A token that was kept may have been revoked: nothing was done with it, so a new one may try.
      if (response.status === UNAUTHORIZED && authorization.rejected() && !renewed) continue;
      return this.read(toolId, binding, response, authorization.secrets);
    }
  }

  private async read(
    toolId: string,
    { resultPath }: HttpBinding,
    { status, headers, body }: EgressResponse,
    secrets: Secrets,
  ): Promise<ProviderAnswer> {
    const contentType = secrets.redact(headers['content-type'] ?? '');
    const decoded = textOfBody(body, contentType);
    const text = secrets.redact(decoded ?? '');
    if (!isSuccessStatus(status)) {
      const said = secrets.redact(providerWords(text, contentType));
      return classifyStatus(status, { retryAfter: headers['retry-after'], said });
    }
    if (decoded === undefined) return unknownCharset;
    const parsed = parseBody(text, contentType);
    if (isFailure(parsed)) return parsed;
    return selectResult(withoutEscaped(parsed.data, text, secrets), resultPath, this.parts.jsonPaths, toolId);
  }

  /** Nothing of its own: whoever made the parts closes them. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A secret whose characters were escaped in the JSON shows only once that is read. */
function withoutEscaped(data: JsonValue, text: string, secrets: Secrets): JsonValue {
  return text.includes('\\u') ? (JSON.parse(secrets.redact(JSON.stringify(data))) as JsonValue) : data;
}

const unknownCharset = failure('provider_error', 'The provider answered in an unknown character set.', {
  retryable: false,
});
