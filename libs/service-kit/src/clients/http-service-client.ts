import { internalHeaders, type ContextName } from '@capability-router/contracts';
import type { InternalTokens } from '../tokens/internal-tokens.js';
import { inTurn } from './addresses/address-health.js';
import { AddressPool } from './addresses/address-pool.js';
import { lookUpFewAtOnce, type LookUpName } from './addresses/look-up-name.js';
import { requestInTurn, type Doubled } from './addresses/request-in-turn.js';
import { LOST_AFTER_MS, type AddressObserver, type ServiceAddress } from './addresses/service-address.js';
import { AnsweredByAnother, whyNotConnected } from './addresses/why-out.js';
import { onceLate } from '../util/timing.js';
import { isConnectError } from './connect-error.js';
import { headersOf } from './request-headers.js';
import type {
  ServiceRequest,
  ServiceResponse,
  StreamedRequest,
  StreamedResponse,
  StreamingServiceClient,
} from './service-client.js';
import { streamExchange, type StreamAttempt } from './stream-exchange.js';

/** Connections to one address. */
const CONNECTIONS = 64;

export interface HttpServiceClientOptions {
  readonly service: ContextName;
  /**
   * One or more addresses of the same service, or names that stand for one or more; each request begins at the next of
   * those that serve.
   */
  readonly urls: readonly string[];
  readonly tokens: InternalTokens;
  readonly connections?: number;
  /** Milliseconds of silence after which what was written to an address counts as lost; 10 s where absent. */
  readonly lostAfterMs?: number;
  /** Milliseconds after which an address that names its service no more is believed without; a minute where absent. */
  readonly nameForgottenMs?: number;
  readonly observer?: AddressObserver;
  /** As the machine resolves names where absent. */
  readonly lookUpName?: LookUpName;
  /** Milliseconds after which a name is looked up again; 5 s where absent. */
  readonly lookUpEveryMs?: number;
}

/** Calls a service over keep-alive connections, at those of its addresses that serve. */
export class HttpServiceClient implements StreamingServiceClient {
  private readonly pool: AddressPool;
  private readonly doubled: Doubled = { count: 0 };
  private turn = 0;

  constructor(private readonly options: HttpServiceClientOptions) {
    const { service, urls, connections = CONNECTIONS, lostAfterMs = LOST_AFTER_MS, observer } = options;
    if (urls.length === 0) throw new Error(`no address of ${service} is configured`);
    const { lookUpName = lookUpFewAtOnce(), lookUpEveryMs, nameForgottenMs } = options;
    const names = { lookUpName, lookUpEveryMs, nameForgottenMs };
    this.pool = new AddressPool({ service, urls, connections, lostAfterMs, observer, ...names });
  }

  async request(request: ServiceRequest): Promise<ServiceResponse> {
    const { service, tokens } = this.options;
    const token = tokens.serviceToken(service);
    const headers = headersOf(request, typeof token === 'string' ? token : await token);
    return requestInTurn(service, this.order(), request, headers, this.doubled);
  }

  async stream(request: StreamedRequest): Promise<StreamedResponse> {
    const { service, tokens } = this.options;
    const headers = headersOf(request, await tokens.serviceToken(service));
    return streamExchange(service, request, (attempt) => this.streamInTurn(request, headers, attempt));
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /**
   * Moves on where the service has not begun: an address refuses, is not ready, or not ours. A read that is not answered yet also
   * leaves an address that is silent. A body cannot be sent again.
   */
  private async streamInTurn(
    { method, path }: StreamedRequest,
    headers: Record<string, string>,
    { body, signal }: StreamAttempt,
  ): Promise<StreamedResponse> {
    const { service } = this.options;
    const order = this.order();
    for (const [at, address] of order.entries()) {
      const last = body !== undefined || at === order.length - 1;
      const silence = new AbortController();
      const isRead = body === undefined && (method === 'GET' || method === 'HEAD');
      const answered = isRead ? watchSilence(address, last, silence) : nothing;
      try {
        const sent = body === undefined ? {} : { body };
        const {
          statusCode: status,
          headers: received,
          body: answer,
        } = await address.pool.request({
          method,
          path,
          headers,
          ...sent,
          signal: AbortSignal.any([signal, silence.signal]),
        });
        const ofAnother = address.owner.isAnother({ status, headers: received });
        const availability = received[internalHeaders.availability];
        if (ofAnother) address.eject('not_ours');
        else if (availability !== undefined) address.eject('not_ready');
        if (ofAnother || (availability === 'not_ready' && !last)) {
          await answer.dump();
          if (last) throw new AnsweredByAnother(service);
          continue;
        }
        return { status, headers: received, body: answer };
      } catch (error) {
        if (silence.signal.aborted && !last) continue;
        if (!isConnectError(error)) throw error;
        address.eject(whyNotConnected(error));
        if (last) throw error;
      } finally {
        answered();
      }
    }
    throw new Error('a client always has an address');
  }

  /** Each request has a start of its own: those that move on do not move it for the others. */
  private order(): ServiceAddress[] {
    const { addresses } = this.pool;
    this.turn = (this.turn + 1) % addresses.length;
    return inTurn(addresses, this.turn);
  }
}

/** Once an answer is late the address is probed, and left when it is silent, where there is no other once it counts as lost. */
function watchSilence(address: ServiceAddress, last: boolean, silence: AbortController): () => void {
  const inTime = onceLate(address.times.patienceMs, () => address.suspect());
  const stopWatching = address.watch((lost) => {
    if (lost || !last) silence.abort(new Error('the address is silent'));
  });
  return () => {
    inTime();
    stopWatching();
  };
}

const nothing = (): void => undefined;
