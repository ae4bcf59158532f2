/** A load balancer with one address. New connections go to its current server, and open connections keep theirs. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { closeAfterTests } from './close-after-tests.ts';

export type Balancer = {
  /** Sends new connections to the server with this origin. */
  leadTo(url: string): void;
};

/** Starts a balancer on a port for the tests of the file. It refuses connections until `leadTo` is called. */
export async function useBalancer(port: number): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let target: URL | undefined;
  const server = createServer((near) => {
    if (target === undefined) return near.destroy();
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTests(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    leadTo: (url) => {
      target = new URL(url);
    },
  };
}
