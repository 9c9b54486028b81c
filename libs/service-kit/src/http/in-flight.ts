import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';

/** Milliseconds for which a request may go on after its caller has gone: longer than any call or query takes. */
const LOST_AFTER_MS = 900_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** More requests were under way than may be: it has to be refused before anything is begun. */
    isShed: boolean;
    /** Its place among those under way; absent where it is not counted. */
    stay: Stay | undefined;
  }
}

/** A request is under way until its answer is made and its connection has it, or is gone. */
class Stay {
  private isAnswered = false;
  private isClosed = false;
  private isOver = false;
  private lost: NodeJS.Timeout | undefined;

  /** @param onLost hears that the request goes on for `lostAfterMs` after its connection is gone; it is over then */
  constructor(
    private readonly onOver: () => void,
    private readonly onLost: () => void,
    private readonly lostAfterMs: number,
  ) {}

  answered(): void {
    this.isAnswered = true;
    if (this.isClosed) this.end();
  }

  closed(isAnswered: boolean): void {
    this.isClosed = true;
    if (this.isAnswered || isAnswered) this.end();
    else if (!this.isOver) this.lost = setTimeout(() => this.lose(), this.lostAfterMs).unref();
  }

  /** Whatever was answered. */
  end(): void {
    if (!this.isOver) this.onOver();
    this.isOver = true;
    clearTimeout(this.lost);
  }

  /** A handler that forgets whoever has gone would keep a place for ever, and in the end the server would refuse everybody. */
  private lose(): void {
    this.onLost();
    this.end();
  }
}

let underWay = 0;

/** Requests from outside the process that are under way in it, at all of its servers. */
export const requestsUnderWay = (): number => underWay;

export interface InFlightOptions {
  /** Requests under way at the same time. */
  readonly maxInFlight: number;
  readonly logger: Logger;
  /** Milliseconds after which a request whose caller has gone is counted no more; 15 min where absent. */
  readonly lostAfterMs?: number;
}

/**
 * Counts the requests under way; whoever hangs up does not make room for what goes on for him. Those that are beyond
 * `maxInFlight` are marked and not counted. Requests within the process are parts of others.
 */
export function countInFlight(
  server: FastifyInstance,
  { maxInFlight, logger, lostAfterMs = LOST_AFTER_MS }: InFlightOptions,
): void {
  let inFlight = 0;
  server.decorateRequest('isShed', false);
  server.decorateRequest('stay', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    if (request.raw.socket instanceof Socket) {
      if (inFlight >= maxInFlight) request.isShed = true;
      else {
        inFlight += 1;
        underWay += 1;
        const onOver = (): void => {
          inFlight -= 1;
          underWay -= 1;
        };
        const onLost = (): void => {
          const route = request.routeOptions.url;
          logger.warn({ requestId: request.id, route }, 'a request goes on long after its caller has gone');
        };
        const stay = new Stay(onOver, onLost, lostAfterMs);
        request.stay = stay;
        reply.raw.once('close', () => stay.closed(reply.sent));
      }
    }
    done();
  });
  server.addHook('onSend', (request, _reply, _payload, done) => {
    request.stay?.answered();
    done();
  });
}

/** Ends a request that nobody waits for and for which nothing goes on: there is nothing to answer and no one to tell. */
export function endUnanswered(reply: FastifyReply): FastifyReply {
  reply.request.stay?.end();
  return reply.hijack();
}
