/** A receiver in front of the product that takes each report of Telnyx, and passes it on late, twice, or never. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { time } from '../support/emulator-time.ts';

/** The fate of one report. Without copies it is lost. */
export type Passage = { readonly delayMs: number; readonly copies: number };

/**
 * Starts a receiver in front of `target()`. Reports meet the passages in turn; without any they are passed on at once.
 */
export async function startShuffler(target: () => string) {
  let passages: readonly Passage[] = [];
  let met = 0;
  const onTheWay = new Set<Promise<void>>();
  const pass = async (path: string, headers: Record<string, string>, body: Buffer, delayMs: number) => {
    await time.sleep(delayMs);
    const reply = await fetch(`${target()}${path}`, { method: 'POST', headers, body: new Uint8Array(body) });
    await reply.arrayBuffer();
  };
  const server = createServer(async (request, response) => {
    const { method, url: path = '' } = request;
    if (method === 'GET') {
      const reply = await fetch(`${target()}${path}`);
      return response.writeHead(reply.status).end(Buffer.from(await reply.arrayBuffer()));
    }
    const body = await buffer(request);
    const headers = Object.fromEntries(
      ['content-type', 'telnyx-timestamp', 'telnyx-signature-ed25519'].map((name) => [
        name,
        `${request.headers[name]}`,
      ]),
    );
    const { delayMs, copies } = passages[met++ % passages.length] ?? { delayMs: 0, copies: 1 };
    for (let copy = 0; copy < copies; copy++) {
      const passing = pass(path, headers, body, delayMs * (copy + 1)).catch((error) => console.error(error));
      onTheWay.add(passing);
      void passing.then(() => onTheWay.delete(passing));
    }
    return response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTests(async () => {
    await Promise.all(onTheWay);
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the fates of the next reports, in order. After the last fate, the first one applies again. */
    shuffle: (next: readonly Passage[]) => {
      passages = next;
      met = 0;
    },
    /** Resolves once no report is on its way. */
    passed: async () => {
      while (onTheWay.size > 0) await Promise.all(onTheWay);
    },
  };
}
