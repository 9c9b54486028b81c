import { AppError, errorRegistry } from '@capability-router/kernel';
import { errorAnswerOf } from '@capability-router/service-kit';
import type { FastifyInstance } from 'fastify';
import { isEncoded, encodedMessage } from './json-body.js';

const FORM = 'application/x-www-form-urlencoded';
const sendForm = `Send the parameters as ${FORM}.`;

/** In a scope of its own, whose routes get forms as the bytes that came, and refuse in the words of OAuth. */
export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(FORM, { parseAs: 'buffer' }, (request, body, done) => {
    if (isEncoded(request)) done(new AppError('unsupported_media_type', encodedMessage), undefined);
    else done(null, body);
  });
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(new AppError('unsupported_media_type', sendForm), undefined);
  });
  const answerOthers = scope.errorHandler;
  scope.setErrorHandler((error, request, reply) => {
    const { status, body } = errorAnswerOf(error);
    const unreadable = [errorRegistry.invalid_json, errorRegistry.unsupported_media_type, errorRegistry.body_too_large];
    if (!unreadable.some(({ httpStatus }) => httpStatus === status)) return answerOthers(error, request, reply);
    const description = status === errorRegistry.body_too_large.httpStatus ? body['message'] : sendForm;
    return reply
      .code(400)
      .header('cache-control', 'no-store')
      .send({ error: 'invalid_request', error_description: description });
  });
}
