/**
 * Loaded into every test process before the test file. The runner's own time-outs end a test but not its process, so a
 * file with an open handle or an endless loop would never end. A thread kills the process at the time limit, also in an
 * endless loop, and when the runner has ended for any reason.
 */
import { Worker } from 'node:worker_threads';

const limitMs = Number(process.env['DIALPLANE_TEST_FILE_LIMIT_MS']);

function watch(): void {
  const code = `
    const { workerData } = require('node:worker_threads');
    setTimeout(() => {
      require('node:fs').writeSync(2, workerData.message);
      process.kill(process.pid, 'SIGKILL');
    }, workerData.limitMs);
    setInterval(() => {
      if (process.ppid !== workerData.runner) process.kill(process.pid, 'SIGKILL');
    }, 1000);`;
  const file = process.argv[1] ?? 'a test file';
  const message = `${file} was killed after ${limitMs / 1000} s: a test hangs or left a handle open\n`;
  new Worker(code, { eval: true, execArgv: [], workerData: { limitMs, message, runner: process.ppid } }).unref();
}

if (limitMs > 0) watch();
