/**
 * The command `npm run test:sip [-- FILE...]`. Makes the folder with Asterisk, baresip and sipp, then runs the tests on
 * a SIP engine in separate network and mount namespaces. The namespaces end with the run, and so do all networks in
 * them. Where the tests cannot run, it names the missing parts of the machine. With `--make-root` it only makes the
 * folder.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findMissing, makeSipRoot, SIP_ROOT } from '../test/sip/root.ts';

// Only this run may see the files that name its namespaces. The same holds for the file with the address of the name
// server that a test runs for the engines (test/sip/world/dns-server.ts).
const PREPARE = [
  'mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && ip link set lo up',
  `echo nameserver 127.0.0.153 > /run/netns/resolv.conf && mount --bind /run/netns/resolv.conf ${SIP_ROOT}/etc/resolv.conf`,
  'exec "$@"',
].join(' && ');

async function main(): Promise<number> {
  const missing = findMissing() ?? makeSipRoot();
  if (missing !== undefined) {
    console.log(`SIP tests are skipped: this machine lacks ${missing}.`);
    return 0;
  }
  if (process.argv.includes('--make-root')) return 0;
  const tests = [process.execPath, fileURLToPath(new URL('test.ts', import.meta.url)), '--sip'];
  const inside = ['--mount', '--net', 'sh', '-c', PREPARE, 'test-sip', ...tests, ...process.argv.slice(2)];
  const child = spawn('unshare', inside, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
