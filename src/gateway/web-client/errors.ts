/** The `error` message: the answer to a request that was not carried out. */
import { ApiError } from '../../lib/errors/errors.ts';
import type { ClientMessage, ServerMessage } from './protocol.ts';

/** An error that exists only in this protocol: `seat_busy` or `not_registered`. All others are errors of the API. */
export class WebClientError extends Error {
  override name = 'WebClientError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Fields of a request that its error repeats. So the client knows which request failed. */
export type Echo = { readonly request: string | null; readonly call_id?: string; readonly ref?: string };

export type ErrorMessage = Extract<ServerMessage, { type: 'error' }>;

export function echoOf(message: ClientMessage): Echo {
  return {
    request: message.type,
    ...('call_id' in message && { call_id: message.call_id }),
    ...(message.type === 'place' && message.ref !== undefined && { ref: message.ref }),
  };
}

/** Returns the `error` message for a failure; `internal_error` if the failure is not the client's. */
export function errorMessage(echo: Echo, error: unknown): ErrorMessage {
  const isPublic = error instanceof ApiError || error instanceof WebClientError;
  const { code, message } = isPublic ? error : { code: 'internal_error', message: 'Something went wrong on our side.' };
  return { type: 'error', code, message, ...echo };
}

export function tooManyMessages(): ApiError {
  return new ApiError('rate_limited', { message: 'Too many messages at once: this one was not carried out.' });
}
