import { endUnanswered } from '@capability-router/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Has whoever asked hung up? A connection that was reset has no address any more, before it is known to be closed. */
export const callerIsGone = ({ raw: { socket } }: FastifyRequest): boolean =>
  socket.destroyed || socket.remoteAddress === undefined;

/** Ends a request that nobody waits for and no service works on: there is nothing to answer and no one to tell. */
export const forget = (reply: FastifyReply): FastifyReply => endUnanswered(reply);
