/** A proxy to a database that can be cut or stalled, as by a network outage. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';

export type DatabaseProxy = {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** Breaks every connection and accepts no new one. */
  cut(): Promise<void>;
  /** Accepts connections but forwards nothing, like a stopped server, until `resume`. */
  stall(): void;
  resume(): void;
};

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl });
  const open = () => (host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host));
  const ends = new Map<Socket, Socket>();
  let isStalled = false;
  const server = createServer((near) => {
    const far = open();
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.set(end, other);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        ends.delete(end);
        other.destroy();
      });
      if (!isStalled) end.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`postgresql://127.0.0.1:${(server.address() as AddressInfo).port}/${database}`);
  url.username = user ?? '';
  url.password = typeof password === 'string' ? password : '';
  return {
    url: url.href,
    cut: async () => {
      server.close();
      for (const end of ends.keys()) end.destroy();
      await once(server, 'close');
    },
    stall: () => {
      isStalled = true;
      for (const end of ends.keys()) end.unpipe();
    },
    resume: () => {
      isStalled = false;
      for (const [end, other] of ends) end.pipe(other);
    },
  };
}
