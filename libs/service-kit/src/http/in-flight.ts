import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';

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

  constructor(private readonly onOver: () => void) {}

  answered(): void {
    this.isAnswered = true;
    if (this.isClosed) this.end();
  }

  closed(isAnswered: boolean): void {
    this.isClosed = true;
    if (this.isAnswered || isAnswered) this.end();
  }

  /** Whatever was answered. */
  end(): void {
    if (!this.isOver) this.onOver();
    this.isOver = true;
  }
}

let underWay = 0;

/** Requests from outside the process that are under way in it, at all of its servers. */
export const requestsUnderWay = (): number => underWay;

/**
 * Counts the requests under way; whoever hangs up does not make room for what goes on for him. Those that are beyond
 * `maxInFlight` are marked and not counted. Requests within the process are parts of others.
 */
export function countInFlight(server: FastifyInstance, maxInFlight: number): void {
  let inFlight = 0;
  server.decorateRequest('isShed', false);
  server.decorateRequest('stay', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    if (request.raw.socket instanceof Socket) {
      if (inFlight >= maxInFlight) request.isShed = true;
      else {
        inFlight += 1;
        underWay += 1;
        const stay = new Stay(() => {
          inFlight -= 1;
          underWay -= 1;
        });
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

/** Ends a request that nobody waits for and for which nothing was begun: there is nothing to answer and no one to tell. */
export function endUnanswered(reply: FastifyReply): FastifyReply {
  reply.request.stay?.end();
  return reply.hijack();
}
