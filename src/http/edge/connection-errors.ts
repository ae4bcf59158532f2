import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { ApiError } from '../../lib/errors/errors.ts';
import { newId } from '../../lib/ids.ts';
import { toEnvelope } from './envelope.ts';
import { JSON_HEADERS } from './reply-headers.ts';

/** By error code of the HTTP parser: a refusal with a specific status and message. */
const REFUSALS: Readonly<Record<string, { status: number; error: ApiError }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: new ApiError('invalid_body', { message: 'The request line and headers are larger than 16 KiB.' }),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: new ApiError('unreadable_body', { message: 'The request took too long to arrive.' }),
  },
};

const UNREADABLE = {
  status: 400,
  error: new ApiError('unreadable_body', { message: 'The request is cut short or not valid HTTP.' }),
};

type AnswerOptions = {
  readonly publicUrl: string;
  /** The HTTP status; by default, the status of the error. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Answers a request that no app handles, with an error envelope. */
export function answerError(
  response: ServerResponse,
  error: ApiError,
  { publicUrl, status = error.status, headers }: AnswerOptions,
): void {
  const requestId = newId('request');
  const body = JSON.stringify(toEnvelope(error, { publicUrl, requestId }));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'request-id': requestId,
    ...(error.retryAfterS !== undefined && { 'retry-after': String(error.retryAfterS) }),
    ...JSON_HEADERS,
    ...headers,
  });
  response.end(body);
}

/**
 * Answers a request whose Expect header is not `100-continue` (RFC 9110, 10.1.1). Node's own refusal would have no
 * body.
 */
export function refuseExpectations(server: Server, publicUrl: string): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const message = 'The only expectation that can be met is 100-continue.';
    answerError(response, new ApiError('invalid_body', { param: 'Expect', message }), { publicUrl, status: 417 });
  });
}

/** Answers bytes that are not a valid request with an error envelope, and closes the connection. */
export function createConnectionErrorHandler(publicUrl: string, log: Logger) {
  return (failure: NodeJS.ErrnoException, socket: Socket): void => {
    if (failure.code === 'ECONNRESET' || socket.destroyed) return;
    const { status, error } = REFUSALS[failure.code ?? ''] ?? UNREADABLE;
    const requestId = newId('request');
    log.debug({ err: failure, request_id: requestId, status }, 'unreadable request');
    const body = JSON.stringify(toEnvelope(error, { publicUrl, requestId }));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Request-Id: ${requestId}`,
      ...Object.entries(JSON_HEADERS).map(([name, value]) => `${name}: ${value}`),
    ];
    if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy(failure));
    else socket.destroy(failure);
  };
}
