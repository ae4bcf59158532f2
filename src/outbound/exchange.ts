/**
 * One request and its response over a pool, under one deadline.
 *
 * The handler uses undici's dispatch interface. The streams and promises of `pool.request` cost more than the rest of a
 * small request. An exchange is `settled` when the caller has its answer, and `ended` when the connection is free
 * again. A truncated body settles first and ends later, so that a receiver with a long reply keeps its connection.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { after, monotonicMs, type Timer } from '../lib/time/time.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';

export interface OutboundRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: Buffer | string | undefined;
  /** From the call of `request` to the last byte of the response: waiting, DNS, TCP, TLS, headers and body. */
  timeoutMs: number;
  /** Bytes of the response body to keep; the rest is dropped. */
  maxResponseBytes: number;
  signal?: AbortSignal | undefined;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case; a repeated header is a list. */
  headers: IncomingHttpHeaders;
  body: Buffer;
  durationMs: number;
}

/** Bytes of an over-long body that are read and dropped; beyond them closing the connection costs less. */
const DISCARDED_BYTES_MAX = 65_536;

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: OutboundResponse) => void;
  readonly #reject: (error: OutboundError) => void;
  readonly #startedAtMs = monotonicMs();
  readonly #maxResponseBytes: number;
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: Timer;
  #controller: Dispatcher.DispatchController | undefined;
  #stopped: OutboundError | undefined;
  #settled = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #keptBytes = 0;
  #receivedBytes = 0;

  constructor(
    request: OutboundRequest,
    resolve: (response: OutboundResponse) => void,
    reject: (error: OutboundError) => void,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#maxResponseBytes = request.maxResponseBytes;
    this.#signal = request.signal;
    this.#deadline = after(request.timeoutMs, () => this.#stop(new OutboundError('timeout')));
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The request timed out or was aborted before it got a connection, so it must not be sent.
    if (this.#stopped) controller.abort(this.#stopped);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#receivedBytes += chunk.length;
    const roomBytes = this.#maxResponseBytes - this.#keptBytes;
    if (roomBytes > 0) {
      const kept = chunk.length > roomBytes ? chunk.subarray(0, roomBytes) : chunk;
      this.#chunks.push(kept);
      this.#keptBytes += kept.length;
    }
    if (this.#receivedBytes <= this.#maxResponseBytes) return;
    this.#succeed();
    if (this.#receivedBytes - this.#maxResponseBytes > DISCARDED_BYTES_MAX) {
      this.#stop(new OutboundError('aborted'));
    }
  }

  onResponseEnd(): void {
    this.#end();
    this.#succeed();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    this.#fail(toOutboundError(error));
  }

  readonly #onAbort = (): void => this.#stop(new OutboundError('aborted', { cause: this.#signal?.reason }));

  #stop(error: OutboundError): void {
    this.#stopped = error;
    this.#end();
    this.#fail(error);
    this.#controller?.abort(error);
  }

  #end(): void {
    this.#deadline.cancel();
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  #succeed(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      body: Buffer.concat(this.#chunks, this.#keptBytes),
      durationMs: monotonicMs() - this.#startedAtMs,
    });
    this.#chunks = [];
  }

  #fail(error: OutboundError): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#chunks = [];
    this.#reject(error);
  }
}

/** Sends a request to `path` of the pool's origin. Rejects with OutboundError only. */
export function exchange(pool: Pool, path: string, request: OutboundRequest): Promise<OutboundResponse> {
  const { signal } = request;
  if (signal?.aborted) return Promise.reject(new OutboundError('aborted', { cause: signal.reason }));
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(request, resolve, reject);
    const { method, headers = {}, body = null } = request;
    // undici's own time-outs are off: the one deadline covers them.
    pool.dispatch({ path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 }, handler);
  });
}
