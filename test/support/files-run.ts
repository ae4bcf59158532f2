/** Finds the files of the product that have run, from the engine's counts of function runs. */
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

const SOURCE = new URL('../../src/', import.meta.url).href;

/**
 * Runs `work` and returns the files of the product that ran functions during it, by path from the root. Code that runs
 * while a file is loaded does not count. Earlier tests of the process do not count either.
 */
export async function filesRunBy(work: () => Promise<unknown>): Promise<Set<string>> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    const own = result.filter(({ url }) => url.startsWith(SOURCE) && !url.endsWith('.test.ts'));
    const ran = own.filter(({ functions }) =>
      functions.some(({ functionName, ranges: [whole] }) => functionName !== '' && (whole?.count ?? 0) > 0),
    );
    return new Set(ran.map(({ url }) => fileURLToPath(url).slice(fileURLToPath(SOURCE).length - 'src/'.length)));
  } finally {
    session.disconnect();
  }
}
