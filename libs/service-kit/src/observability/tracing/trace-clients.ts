import { contexts, type ContextName } from '@capability-router/contracts';
import type {
  ServiceClients,
  ServiceRequest,
  ServiceResponse,
  StreamedRequest,
  StreamedResponse,
  StreamingServiceClient,
} from '../../clients/service-client.js';
import { inClientSpan } from './tracing.js';

/** Requests to other services have spans of their own, and tell the services of which trace they are. */
export function tracedClients(clients: ServiceClients): ServiceClients {
  const entries = contexts.map((name): [ContextName, StreamingServiceClient] => [
    name,
    new TracedClient(name, clients[name]),
  ]);
  return Object.fromEntries(entries) as ServiceClients;
}

class TracedClient implements StreamingServiceClient {
  constructor(
    private readonly service: ContextName,
    private readonly client: StreamingServiceClient,
  ) {}

  request(request: ServiceRequest): Promise<ServiceResponse> {
    return this.traced(request, (told) => this.client.request(told));
  }

  /** The span ends with the head of the answer. */
  stream(request: StreamedRequest): Promise<StreamedResponse> {
    return this.traced(request, (told) => this.client.stream(told));
  }

  private traced<Request extends ServiceRequest | StreamedRequest, Answer>(
    request: Request,
    send: (request: Request) => Promise<Answer>,
  ): Promise<Answer> {
    const attributes = { 'http.request.method': request.method, 'peer.service': this.service };
    return inClientSpan(`${request.method} ${this.service}`, attributes, (traceparent) =>
      send(traceparent === undefined ? request : { ...request, headers: { ...request.headers, traceparent } }),
    );
  }
}
