import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  internalHeaders,
  type AdmittedChange,
  type GatewayReportRequest,
  type GatewayReportResponse,
  type SecurityReport,
  type SecurityReportRequest,
} from '@capability-router/contracts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The service that a token is for: whoever stands for several is asked as each of them. */
function audienceOf(authorization = ''): string {
  const [, claims = ''] = authorization.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { readonly aud: string }).aud;
}

type Behaviour = (request: SeenRequest, response: ServerResponse, socket: Socket) => void;

/** A real HTTP server on loopback that does what a test tells it. */
export class Upstream {
  /** All but reports of gateways that they live, and questions whether the service is ready. */
  readonly seen: SeenRequest[] = [];
  readonly reports: GatewayReportRequest[] = [];
  /** The reports for the security log that it was sent. */
  readonly securityReports: SecurityReport[] = [];
  /** Answer to such a report: 200, or an error while it is away. */
  securityReportStatus = 200;
  /** Changes that it was told of before they were passed on. */
  readonly admittedChanges: AdmittedChange[] = [];
  /** Answer to one: 200, or an error while it is away. */
  admissionStatus = 200;
  /** Requests of our clients for `/readyz`. */
  timesAsked = 0;
  /** False: such a report is not answered. */
  hearsReports = true;
  /** The answer to such a report. */
  reportAnswer: GatewayReportResponse = {};
  behave: Behaviour = (_request, response) => response.end('{}');
  private readonly server = createServer((request, response) => {
    // A request that its sender breaks off is not answered.
    this.handle(request, response).catch(() => response.destroy());
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  answer(status: number, body: unknown, headers: Record<string, string> = {}): void {
    this.behave = (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    response.setHeader(internalHeaders.answeredBy, audienceOf(headers.authorization));
    if (path === '/internal/gateway-replicas:report') {
      // Comes by itself, whatever the test is about.
      this.reports.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as GatewayReportRequest);
      if (!this.hearsReports) response.destroy();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.reportAnswer));
      return;
    }
    if (path === '/internal/security-log:report') {
      const { reports } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as SecurityReportRequest;
      this.securityReports.push(...reports);
      response.writeHead(this.securityReportStatus, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    if (path === '/internal/security-log:admit') {
      this.admittedChanges.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as AdmittedChange);
      response.writeHead(this.admissionStatus, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    if (path === '/readyz') {
      this.timesAsked += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'ready' }));
      return;
    }
    const seen = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
    this.seen.push(seen);
    this.behave(seen, response, request.socket);
  }
}
