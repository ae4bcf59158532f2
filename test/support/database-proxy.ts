/** A database that can be taken away from whoever uses it, as an outage of the network does. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';

export type DatabaseProxy = {
  /** Leads to the database through the line. */
  readonly url: string;
  /** Breaks every connection and takes no new one. */
  cut(): Promise<void>;
  /** Takes connections and passes nothing on, as a server that has been stopped, until `goOn`. */
  stand(): void;
  goOn(): void;
};

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl });
  const open = () => (host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host));
  const ends = new Map<Socket, Socket>();
  let stands = false;
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
      if (!stands) end.pipe(other);
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
    stand: () => {
      stands = true;
      for (const end of ends.keys()) end.unpipe();
    },
    goOn: () => {
      stands = false;
      for (const [end, other] of ends) end.pipe(other);
    },
  };
}
