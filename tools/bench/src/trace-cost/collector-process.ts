/** A collector of OpenTelemetry on loopback: takes spans by OTLP over HTTP, counts them, and tells how many when it is asked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';
import type { CollectedSpans, CollectorUrl } from './collector.js';

/** The part of OTLP that leads to spans, by the numbers of its specification. */
const request = protobuf
  .parse(
    `
syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { repeated ScopeSpans scope_spans = 2; }
message ScopeSpans { repeated bytes spans = 2; }
`,
  )
  .root.lookupType('Request');

interface Received {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly unknown[] }[] }[];
}

let spans = 0;
const server = createServer((incoming, answer) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const { resourceSpans } = request.decode(Buffer.concat(chunks)) as unknown as Received;
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans += scope.spans.length;
    answer.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } satisfies CollectorUrl);
});
process.on('message', () => process.send?.({ spans } satisfies CollectedSpans));
process.once('SIGTERM', () => process.exit());
