import { OAUTH_CLIENT_CHALLENGE } from '@capability-router/contracts';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OAuthError } from './oauth-error.js';

/** Answers a refusal as RFC 6749 §5.2 has it: 400, and 401 with a challenge where the client is not known to be one. */
@Catch(OAuthError)
export class OAuthErrorFilter implements ExceptionFilter<OAuthError> {
  catch({ code, description }: OAuthError, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const unknown = code === 'invalid_client';
    if (unknown) void reply.header('www-authenticate', OAUTH_CLIENT_CHALLENGE);
    void reply
      .code(unknown ? 401 : 400)
      .header('cache-control', 'no-store')
      .send({ error: code, error_description: description });
  }
}
