import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode } from '../../lib/errors.ts';
import type { ErrorEnvelope } from '../schemas/schemas.ts';

/** Fastify's own refusals in the catalogue's words, with the status where it differs from the code's. */
const FASTIFY_ERRORS: Readonly<Record<string, { error: ApiError; status?: number }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    error: new ApiError('unreadable_body', { message: 'The body is larger than this operation takes.' }),
    status: 413,
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { error: new ApiError('unreadable_body') },
  FST_ERR_CTP_INVALID_JSON_BODY: { error: new ApiError('invalid_json') },
  // A path that does not decode, or with too long a name in it, leads nowhere.
  FST_ERR_BAD_URL: { error: new ApiError('not_found') },
  FST_ERR_MAX_PARAM_LENGTH: { error: new ApiError('not_found') },
  // Any type is read as JSON, but what is no type at all is a header that cannot be read.
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    error: new ApiError('invalid_body', {
      param: 'Content-Type',
      message: 'Content-Type must be a media type such as application/json.',
    }),
  },
};

/** The only place that makes an error envelope. */
export function createErrorHandler(publicUrl: string) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { error, status } = settleError(thrown, request);
    if (error.retryAfterS !== undefined) reply.header('retry-after', String(error.retryAfterS));
    const envelope = toEnvelope(error, { publicUrl, requestId: request.id });
    return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(envelope));
  };
}

type Asked = { publicUrl: string; requestId: string };

/** The body of an error reply. */
export function toEnvelope(error: ApiError, asked: Asked): ErrorEnvelope {
  // Inside as well: clients hand on the error alone.
  return { error: toInnerError(error, asked), request_id: asked.requestId };
}

/** What the envelope is about. */
export function toInnerError(
  { code, message, param, details }: ApiError,
  { publicUrl, requestId }: Asked,
): ErrorEnvelope['error'] & { code: ErrorCode } {
  const docs_url = `${publicUrl}/docs/errors/${code}`;
  return { code, message, docs_url, ...(param !== undefined && { param }), request_id: requestId, ...details };
}

/** What the caller is told of a failure. What is not an ApiError is ours: it is logged whole and told briefly. */
export function settleError(thrown: unknown, request: FastifyRequest): { error: ApiError; status: number } {
  const settled = classify(thrown);
  const { error } = settled;
  request.errorCode = error.code;
  const failure = error.status >= 500 ? (error.cause ?? thrown) : undefined;
  // Only a 500 is a defect: a carrier or a database that is away says so itself, and is no alarm at every request.
  if (error.status === 500) request.log.error({ err: failure }, `replied ${error.code}`);
  else if (failure !== undefined) request.log.warn({ reason: String(failure) }, `replied ${error.code}`);
  return settled;
}

function classify(thrown: unknown): { error: ApiError; status: number } {
  if (thrown instanceof ApiError) return { error: thrown, status: thrown.status };
  const known = FASTIFY_ERRORS[(thrown as FastifyError | undefined)?.code ?? ''];
  if (known !== undefined) return { error: known.error, status: known.status ?? known.error.status };
  // What else Fastify finds wrong with a body is a plain 400.
  const status = (thrown as FastifyError | undefined)?.statusCode;
  if (status === 400) return { error: new ApiError('invalid_json', { cause: thrown }), status };
  const error = new ApiError('internal_error', { cause: thrown });
  return { error, status: error.status };
}
