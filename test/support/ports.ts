import { createServer, type Server } from 'node:net';
import { closeAfterTests } from './close-after-tests.ts';

/**
 * Above the audio ports of the SIP tests, and below the ports that the system uses for outgoing connections (on Linux
 * from 32,768). The system may give one of those to any process at any time.
 */
const FIRST = 25_000;
const SLICES = 350;
const SLICE = 20;

let count = 0;
let slice: Promise<number> | undefined;

/**
 * Returns a free port, for programs that need one in their settings. It is from a slice of ports that this process has
 * claimed, so no concurrent test file gets it.
 */
export async function freePort(): Promise<number> {
  slice ??= claimSlice();
  const first = await slice;
  for (let tried = 1; tried < SLICE; tried++) {
    const port = first + 1 + (count++ % (SLICE - 1));
    const server = await listen(port);
    if (server === undefined) continue;
    await closed(server);
    return port;
  }
  throw new Error(`none of ${SLICE} ports is free`);
}

/** Claims a slice until the tests of the file end: listens at its first port. Returns that port. */
async function claimSlice(): Promise<number> {
  for (let tried = 0; tried < SLICES; tried++) {
    const first = FIRST + ((process.pid + tried) % SLICES) * SLICE;
    const claim = await listen(first);
    if (claim === undefined) continue;
    claim.unref();
    closeAfterTests(() => {
      slice = undefined;
      return closed(claim);
    });
    return first;
  }
  throw new Error(`all ${SLICES} slices of ports are in use`);
}

/** Resolves with a server at the port; undefined if the port is in use. */
function listen(port: number): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen(port, '0.0.0.0', () => resolve(server));
  });
}

const closed = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));
