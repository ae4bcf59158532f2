/** A proxy to a database. Tests cut or stall it, like a network outage. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';

export type DatabaseProxy = {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** Breaks every connection and accepts no new one. */
  cut(): Promise<void>;
  /** Accepts connections again after `cut`, at the same address. */
  reopen(): Promise<void>;
  /** Accepts connections but forwards nothing until `resume`, like a stopped server. */
  stall(): void;
  resume(): void;
  /** Forwards requests but no answers, until `cut`. */
  mute(): void;
  /** Sends new connections to another server. Open connections stay. */
  leadTo(databaseUrl: string): void;
};

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { user, password, database } = new pg.Client({ connectionString: databaseUrl });
  let target = databaseUrl;
  const open = () => {
    const { host, port } = new pg.Client({ connectionString: target });
    return host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
  };
  const ends = new Map<Socket, Socket>();
  const fars = new WeakSet<Socket>();
  let isStalled = false;
  let isMuted = false;
  const server = createServer((near) => {
    const far = open();
    fars.add(far);
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
      if (!isStalled && !(isMuted && end === far)) end.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(`postgresql://127.0.0.1:${port}/${database}`);
  url.username = user ?? '';
  url.password = typeof password === 'string' ? password : '';
  return {
    url: url.href,
    cut: async () => {
      isMuted = false;
      server.close();
      for (const end of ends.keys()) end.destroy();
      await once(server, 'close');
    },
    reopen: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    stall: () => {
      isStalled = true;
      for (const end of ends.keys()) end.unpipe();
    },
    resume: () => {
      isStalled = false;
      for (const [end, other] of ends) end.pipe(other);
    },
    mute: () => {
      isMuted = true;
      for (const end of ends.keys()) if (fars.has(end)) end.unpipe();
    },
    leadTo: (newUrl) => {
      target = newUrl;
    },
  };
}
