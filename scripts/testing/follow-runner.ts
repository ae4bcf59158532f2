import { Worker } from 'node:worker_threads';

/**
 * Kills this process and all that it started when the test command has ended for any reason. A thread watches, so that
 * it works while a test is in an endless loop. This process is the leader of its process group.
 */
export function followRunner(): void {
  const code = `
    const { workerData } = require('node:worker_threads');
    setInterval(() => {
      if (process.ppid !== workerData.runner) process.kill(-process.pid, 'SIGKILL');
    }, 500);`;
  new Worker(code, { eval: true, execArgv: [], workerData: { runner: process.ppid } }).unref();
}
