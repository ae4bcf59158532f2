/**
 * A webhook receiver on loopback. It records deliveries, answers as a script says, and verifies signatures without the
 * product's code.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { monotonicMs, now } from '../../src/lib/time/time.ts';
import { closeAfterTests } from './close-after-tests.ts';
import { until } from './jobs.ts';
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from './receiver-certificate.ts';
import { sleep } from './stepping-time.ts';
import { verifySignature, verifyStandardSignature } from './verify-signature.ts';

export type Received = {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** The body, parsed. */
  readonly event: {
    id: string;
    type: string;
    resource_id: string;
    sequence: number;
    tenant_id: string | null;
    created_at: string;
    event_version: string;
    data: Record<string, unknown>;
  };
  /** Milliseconds of a monotonic clock. */
  readonly atMs: number;
};

/** The answer to one delivery: with a status (200 by default), after a delay, or never. */
export type Script = {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
  hang?: true;
};

export type Receiver = {
  readonly url: string;
  readonly port: number;
  /** In the order of arrival. */
  readonly received: Received[];
  /** Unanswered deliveries whose sender has ended the request. */
  readonly givenUp: Received[];
  /** The most requests that were open at the same time. */
  readonly openMax: () => number;
  /** Sets the answers of later deliveries. */
  answer(script: Script | ((delivery: Received) => Script)): void;
  /** Waits until this many deliveries have arrived. */
  arrived(count: number, limitMs?: number): Promise<void>;
  /** Ends the unanswered requests: with a status, or by closing the connection. */
  release(status?: number, headers?: Record<string, string>): void;
  close(): Promise<void>;
};

/** Starts a receiver for the tests of the file, and closes it after them. */
export async function useReceiver(): Promise<Receiver> {
  const receiver = await startReceiver();
  closeAfterTests(() => receiver.close());
  return receiver;
}

export async function startReceiver({ tls = false } = {}): Promise<Receiver> {
  const received: Received[] = [];
  const givenUp: Received[] = [];
  const hanging = new Set<http.ServerResponse>();
  let decide: (delivery: Received) => Script = () => ({});
  let open = 0;
  let openMax = 0;
  const onRequest = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    openMax = Math.max(openMax, ++open);
    response.once('close', () => open--);
    let body = '';
    for await (const chunk of request) body += chunk;
    const delivery = { headers: request.headers, body, event: JSON.parse(body), atMs: monotonicMs() };
    received.push(delivery);
    const { status = 200, headers = {}, body: reply = '', delayMs = 0, hang } = decide(delivery);
    if (hang) {
      hanging.add(response);
      response.once('close', () => hanging.delete(response) && givenUp.push(delivery));
      return;
    }
    if (delayMs > 0) await sleep(delayMs);
    response.writeHead(status, headers).end(reply);
  };
  const listener = (request: http.IncomingMessage, response: http.ServerResponse) => {
    onRequest(request, response).catch(() => response.destroy());
  };
  const server = tls
    ? https.createServer({ cert: RECEIVER_CERTIFICATE, key: RECEIVER_KEY }, listener)
    : http.createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const release = (status?: number, headers: Record<string, string> = {}) => {
    for (const response of hanging) {
      hanging.delete(response);
      if (status === undefined) response.destroy();
      else response.writeHead(status, headers).end();
    }
  };
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hooks`,
    port,
    received,
    givenUp,
    openMax: () => openMax,
    answer: (script) => {
      decide = typeof script === 'function' ? script : () => script;
    },
    arrived: (count, limitMs) => until(`${count} deliveries arrived`, () => received.length >= count, limitMs),
    release,
    close: async () => {
      release();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Fails unless both schemes verify now with this secret. */
export function assertSigned({ headers, body }: Received, secret: string): void {
  const delivery = { headers, body, secret, nowS: Math.floor(now() / 1000) };
  assert.equal(verifySignature(delivery), 'valid');
  assert.equal(verifyStandardSignature(delivery), 'valid');
}

/** Returns true if the delivery's signature verifies now with this secret. */
export function isSignedWith({ headers, body }: Received, secret: string): boolean {
  return verifySignature({ headers, body, secret, nowS: Math.floor(now() / 1000) }) === 'valid';
}
