/**
 * Gateways in separate processes from the API and the workers, at one address. Like a load balancer, it sends new
 * connections to the newest gateway, and open connections stay.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { AdapterKind } from '../../src/carriers/adapter.ts';
import { closeAfterTests } from './close-after-tests.ts';
import { type Harness, startHarness } from './harness.ts';
import { freePort } from './ports.ts';

export type ApartGateways = {
  /** The port of the address on this machine. It refuses connections until `start`. */
  readonly port: number;
  /** Starts the first gateway, for the product with this database. */
  start(databaseUrl: string): Promise<void>;
  /** Starts another gateway, then drains and closes the one before it. */
  move(): Promise<void>;
};

/** Opens the address of gateways for the tests of the file. Their calls are on a carrier of this kind. */
export async function useApartGateways(kind: AdapterKind): Promise<ApartGateways> {
  const port = await freePort();
  const balancer = await useBalancer(port);
  let gateway: Harness;
  const open = async (databaseUrl: string): Promise<Harness> => {
    const opened = await startHarness({ databaseUrl, startWorkers: false, adapterKinds: [kind] });
    balancer.leadTo(opened.url);
    return opened;
  };
  return {
    port,
    start: async (databaseUrl) => {
      gateway = await open(databaseUrl);
      closeAfterTests(() => gateway.close());
    },
    move: async () => {
      const drained = gateway;
      gateway = await open(drained.databaseUrl);
      await drained.leave(0);
      await drained.close();
    },
  };
}

type Balancer = {
  /** Sends new connections to the server at this origin. */
  leadTo(url: string): void;
};

async function useBalancer(port: number): Promise<Balancer> {
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
