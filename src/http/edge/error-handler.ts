import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/errors.ts';
import { toEnvelope } from './envelope.ts';
import { MovedError } from './moved.ts';

/**
 * The codes of the catalogue for Fastify's own refusals. An entry has a status if it differs from the code's status.
 */
const FASTIFY_ERRORS: Readonly<Record<string, { error: ApiError; status?: number }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    error: new ApiError('unreadable_body', { message: 'The body is larger than this operation takes.' }),
    status: 413,
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { error: new ApiError('unreadable_body') },
  FST_ERR_CTP_INVALID_JSON_BODY: { error: new ApiError('invalid_json') },
  // A path that cannot be decoded, or has a name that is too long.
  FST_ERR_BAD_URL: { error: new ApiError('not_found') },
  FST_ERR_MAX_PARAM_LENGTH: { error: new ApiError('not_found') },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { error: new ApiError('unsupported_media_type', { param: 'Content-Type' }) },
};

/** Replies to every failure with an error envelope. */
export function createErrorHandler(publicUrl: string) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (thrown instanceof MovedError) return reply.redirect(thrown.location, 307);
    const { error, status } = settleError(thrown, request);
    if (error.retryAfterS !== undefined) reply.header('retry-after', String(error.retryAfterS));
    // RFC 9110, 15.5.2.
    if (status === 401) reply.header('www-authenticate', 'Bearer realm="Dialplane"');
    const envelope = toEnvelope(error, { publicUrl, requestId: request.id });
    return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(envelope));
  };
}

/**
 * Returns the error to reply with. A failure that is not an ApiError is logged completely, and the reply is
 * internal_error.
 */
export function settleError(thrown: unknown, request: FastifyRequest): { error: ApiError; status: number } {
  const settled = classify(thrown);
  const { error } = settled;
  request.errorCode = error.code;
  const failure = error.status >= 500 ? (error.cause ?? thrown) : undefined;
  // Only a 500 is a defect. Other code logs the outage of a carrier or of the database, so here a warning is enough.
  if (error.status === 500) request.log.error({ err: failure }, `replied ${error.code}`);
  else if (failure !== undefined) request.log.warn({ reason: String(failure) }, `replied ${error.code}`);
  return settled;
}

function classify(thrown: unknown): { error: ApiError; status: number } {
  if (thrown instanceof ApiError) return { error: thrown, status: thrown.status };
  const known = FASTIFY_ERRORS[(thrown as FastifyError | undefined)?.code ?? ''];
  if (known !== undefined) return { error: known.error, status: known.status ?? known.error.status };
  // For any other fault that Fastify finds in a body, the reply is an unspecific 400.
  const status = (thrown as FastifyError | undefined)?.statusCode;
  if (status === 400) return { error: new ApiError('invalid_json', { cause: thrown }), status };
  const error = new ApiError('internal_error', { cause: thrown });
  return { error, status: error.status };
}
