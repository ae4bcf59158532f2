/** What a web client is told that asked for something which is not done. */
import { ApiError } from '../../lib/errors.ts';
import type { ClientMessage, ServerMessage } from './protocol.ts';
import { WebClientError } from './web-client-error.ts';

/** By what the client knows again which of its messages is meant. */
export type Asked = { readonly request: string | null; readonly call_id?: string; readonly ref?: string };

export type Refusal = Extract<ServerMessage, { type: 'error' }>;

export function askedBy(message: ClientMessage): Asked {
  return {
    request: message.type,
    ...('call_id' in message && { call_id: message.call_id }),
    ...(message.type === 'place' && message.ref !== undefined && { ref: message.ref }),
  };
}

/** `internal_error` for a failure that is none of the caller's. */
export function refusalOf(asked: Asked, error: unknown): Refusal {
  const isTold = error instanceof ApiError || error instanceof WebClientError;
  const { code, message } = isTold ? error : { code: 'internal_error', message: 'Something went wrong on our side.' };
  return { type: 'error', code, message, ...asked };
}

export function tooMany(): ApiError {
  return new ApiError('rate_limited', { message: 'Too many messages at once: this one was not carried out.' });
}
