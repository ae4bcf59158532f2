import { DialplaneError } from './errors.ts';
import type { Pages } from './pages.ts';

/** Options of a single request. */
export type RequestOptions = {
  /** Ends the request, its repeats and its waits. The request then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Time for each attempt, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Repeats after a failure that may pass. 0 for none. */
  retriesMax?: number | undefined;
  /** Identifies a POST. A repeat within 24 hours does nothing and gets the first reply. */
  idempotencyKey?: string | undefined;
  /** More headers, such as `traceparent` or `range`. */
  headers?: Readonly<Record<string, string>> | undefined;
};

/** A file as the body of a request. */
export type FileBody<Type extends string = string> = {
  content: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
  type: Type;
};

/** The parts of a request, without its method and its path. */
export type RequestInput = {
  query?: object | undefined;
  body?: unknown;
  file?: FileBody | undefined;
  options?: RequestOptions | undefined;
};

/** Sends the requests of the resources. */
export interface Requester {
  /** Sends a request whose reply is JSON, or empty. */
  send<T>(method: string, path: string, input: RequestInput): Promise<T>;
  /** Reads a list page by page. */
  page<T>(path: string, input: RequestInput): Pages<T>;
  /** Opens a file. The caller reads the body of the response. */
  open(path: string, input: RequestInput): Promise<Response>;
}

/** Returns an id as a part of a path. Refuses an id that would address another path, such as an empty id. */
export function segment(id: string, name: string): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..') {
    throw new DialplaneError('invalid_argument', `${name} is not an id: ${JSON.stringify(id)}`);
  }
  return encodeURIComponent(id);
}
