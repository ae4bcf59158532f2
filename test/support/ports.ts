import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections by themselves (on Linux from 32,768), which any other process may
 * get at any moment, and above the audio ports of the tests of SIP.
 */
const FIRST = 25_000;
const SLICES = 350;
const SLICE = 20;

let count = 0;

/**
 * Returns a free port, for programs that must be told one. It is of this process's slice of the ports, so that no test
 * file that runs beside this one gets the same.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < SLICE; tried++) {
    const port = FIRST + (process.pid % SLICES) * SLICE + (count++ % SLICE);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${SLICE} ports is free`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)));
  });
}
