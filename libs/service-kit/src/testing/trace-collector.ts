import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';

/** The part of OTLP that is looked at, by the numbers of its specification. */
const schema = protobuf.parse(`
syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message Span {
  bytes trace_id = 1;
  bytes span_id = 2;
  bytes parent_span_id = 4;
  string name = 5;
  int32 kind = 6;
  repeated KeyValue attributes = 9;
  Status status = 15;
}
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
message Status { int32 code = 3; }
`).root;

/** By its number in OTLP. */
const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly kind: (typeof kinds)[number];
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

interface Attribute {
  readonly key: string;
  readonly value?: Readonly<Record<string, string | number | boolean>>;
}
interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: number;
  readonly attributes?: readonly Attribute[];
  readonly status?: { readonly code?: number };
}
interface Received {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly Attribute[] };
    readonly scopeSpans?: readonly { readonly spans?: readonly ReceivedSpan[] }[];
  }[];
}

const FAILED = 2;

/** A collector of OpenTelemetry on loopback: takes spans by OTLP over HTTP in protobuf, and keeps them. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** Headers of the last request. */
  lastHeaders: Readonly<Record<string, string | string[] | undefined>> = {};
  /** True: it breaks every connection off. */
  isAway = false;
  private readonly server: Server = createServer((request, response) => {
    if (this.isAway) {
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.lastHeaders = request.headers;
      const fits = request.method === 'POST' && request.url === '/v1/traces';
      if (fits) this.spans.push(...spansIn(Buffer.concat(chunks)));
      response.writeHead(fits ? 200 : 404, { 'content-type': 'application/x-protobuf' }).end();
    });
  });

  /** Resolves to the address of its root. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  of(traceId: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}

function spansIn(body: Buffer): CollectedSpan[] {
  const type = schema.lookupType('Request');
  const read = type.toObject(type.decode(body), { bytes: String, longs: Number }) as Received;
  return (read.resourceSpans ?? []).flatMap(({ resource, scopeSpans = [] }) => {
    const service = String(valuesOf(resource?.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans = [] }) => spans.map((span) => toSpan(service, span)));
  });
}

const toSpan = (service: string, span: ReceivedSpan): CollectedSpan => ({
  service,
  traceId: hex(span.traceId),
  spanId: hex(span.spanId),
  parentId: hex(span.parentSpanId ?? ''),
  name: span.name,
  kind: kinds[span.kind ?? 0] ?? 'unspecified',
  failed: span.status?.code === FAILED,
  attributes: valuesOf(span.attributes),
});

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

const valuesOf = (attributes: readonly Attribute[] = []): Record<string, string | number | boolean> =>
  Object.fromEntries(
    attributes.flatMap(({ key, value }) => Object.values(value ?? {}).map((of) => [key, of] as const)),
  );
