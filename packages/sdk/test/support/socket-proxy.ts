/** A TCP proxy whose connections can be cut, or go silent like a line that is dead at the other end. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';

export type SocketProxy = {
  /** `127.0.0.1:port` */
  readonly host: string;
  /** How many connections there were. */
  readonly count: () => number;
  /** Ends all connections. */
  cut(): void;
  /** Forwards nothing more on the open connections, and leaves them open. */
  silence(): void;
  /** Ends new connections immediately, until it is called with false. */
  refuse(isRefusing: boolean): void;
};

/** Starts a proxy for the tests of the file, and closes it after them. */
export async function useSocketProxy(target: URL): Promise<SocketProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let count = 0;
  let isRefusing = false;
  const server = createServer((near) => {
    count += 1;
    if (isRefusing) return void near.resetAndDestroy();
    const far = connect({ port: Number(target.port), host: target.hostname });
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    near.pipe(far).pipe(near);
    for (const [from, other] of [pair, [far, near] as const]) {
      // The other side of a cut connection reports an error.
      from.on('error', () => other.destroy());
      from.on('close', () => {
        other.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const [near] of pairs) near.destroy();
  };
  closeAfterTests(() => {
    cut();
    server.close();
  });
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    cut,
    silence: () => {
      for (const [near, far] of pairs) {
        far.unpipe(near);
        far.resume();
      }
    },
    refuse: (next) => {
      isRefusing = next;
    },
  };
}
