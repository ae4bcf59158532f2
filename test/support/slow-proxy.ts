/** A proxy to a server, with a limited rate or a delay. For tests of slow connections. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, every, monotonicMs } from '../../src/lib/time/time.ts';

export type SlowProxyOptions = {
  /** The most bytes per second from the server. Unlimited if absent. */
  bytesPerSecond?: number;
  /** Delay in each direction. */
  delayMs?: number;
};

export type SlowProxy = { url: string; close(): void };

const STEP_MS = 50;

/** @param url the address of the server, `ws://host:port` */
export async function startSlowProxy(url: string, options: SlowProxyOptions): Promise<SlowProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => [near, far].forEach((side) => void side.destroy()));
    }
    forward(near, far, options);
    if (options.bytesPerSecond === undefined) forward(far, near, options);
    else forwardAtRate(far, near, options.bytesPerSecond);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function forward(from: Socket, to: Socket, { delayMs = 0 }: SlowProxyOptions): void {
  from.on('data', (chunk) => after(delayMs, () => to.write(chunk)));
}

/** Reads from one side only as many bytes as the rate allows it to send to the other side. */
function forwardAtRate(from: Socket, to: Socket, bytesPerSecond: number): void {
  const startedMs = monotonicMs();
  let passed = 0;
  // Bytes that the proxy has not read yet are not in flight, so the time may skip to its next read.
  from.pause();
  const timer = every(STEP_MS, () => {
    const due = Math.floor(((monotonicMs() - startedMs) * bytesPerSecond) / 1_000) - passed;
    const chunk = from.read(Math.min(due, from.readableLength)) as Buffer | null;
    if (chunk === null) return;
    passed += chunk.length;
    to.write(chunk);
  });
  from.on('close', () => timer.cancel());
}
