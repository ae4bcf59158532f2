import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NAME, readPassword } from './cluster.ts';
import type { Placement } from './placement.ts';

/** The server's listen settings and connection string. `dispose` removes files that were made for them. */
export type Address = { settings: Record<string, string>; connectionString: string; dispose(): void };

/** The longest path of a socket. sun_path has 108 bytes on Linux and 104 on macOS, including the zero at the end. */
const SOCKET_PATH_BYTES_MAX = 103;
const SOCKET_PORT = 5432;

/**
 * Uses a Unix socket in a folder of the program, and no TCP. A port may belong to another server; this socket cannot.
 * Uses TCP on the loopback address only if a port is given, or on Windows, where PostgreSQL has no Unix sockets.
 */
export async function chooseAddress(placement: Placement, port: number | undefined): Promise<Address> {
  if (port === undefined && process.platform !== 'win32') return socketAddress(placement);
  const tcpPort = port ?? (await freePort());
  const password = readPassword(placement.folder);
  return {
    settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: `${tcpPort}` },
    connectionString: `postgresql://${NAME}:${password}@127.0.0.1:${tcpPort}/${NAME}`,
    dispose: () => undefined,
  };
}

function socketAddress({ folder, owner, becomes }: Placement): Address {
  const fits = Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}`)) <= SOCKET_PATH_BYTES_MAX;
  const place = fits ? folder : mkdtempSync(join(tmpdir(), 'dialplane-'));
  if (!fits && owner !== null) {
    chownSync(place, owner.uid, becomes?.gid ?? owner.gid);
    if (becomes !== null) chmodSync(place, 0o710);
  }
  return {
    settings: { listen_addresses: '', unix_socket_directories: `"${place}"`, port: `${SOCKET_PORT}` },
    // The host name before the path makes the address a valid URL. The driver uses `host` instead of it.
    connectionString: `postgresql://${NAME}@localhost:${SOCKET_PORT}/${NAME}?host=${encodeURIComponent(place)}`,
    dispose: () => {
      if (!fits) rmSync(place, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
