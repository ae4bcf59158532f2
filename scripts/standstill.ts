/**
 * Runs the tests while their processes stand still now and then, as on a machine that is busy elsewhere. HELP says how.
 * A test that fails only here depends on how fast the machine is.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT } from '../src/server/console/console-build.ts';

const HELP = `node scripts/standstill.ts [OPTIONS] [PATH_OR_PATTERN...]

Runs npm test on Linux, and stops processes of the run. At its end it prints how often.

  --every SECONDS  between two stops, on average; 8 by default
  --max SECONDS    the longest stop; 5 by default, the shortest takes 0.3 s
  --single         stops one process at a time, as a busy core does; all at once by default, as a machine does that
                   gets no processor`;

const SHORTEST_S = 0.3;

type Process = { readonly pid: number; readonly parent: number; readonly state: string };

/** Returns what runs on this machine (proc_pid_stat(5)). */
function listProcesses(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name of the program, in parentheses, may have any character.
      const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return [{ pid: Number(name), parent: Number(parent), state }];
    } catch {
      // The process has ended in the meantime.
      return [];
    }
  });
}

/** Returns the running processes of a run. A process that a test has stopped must stay stopped. */
function listRunning(root: number): number[] {
  const processes = listProcesses();
  const found = [root];
  for (const pid of found) found.push(...processes.filter(({ parent }) => parent === pid).map((child) => child.pid));
  const isRunning = (pid: number) =>
    processes.some((candidate) => candidate.pid === pid && !'TtZX'.includes(candidate.state));
  return found.slice(1).filter(isRunning);
}

/** Returns false if the process has ended. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

type Options = { readonly everyS: number; readonly maxS: number; readonly isSingle: boolean };

/** Stops processes of the run until it has ended. Returns how often. */
async function standStill(run: ChildProcess, { everyS, maxS, isSingle }: Options): Promise<number> {
  let count = 0;
  while (run.exitCode === null && run.signalCode === null) {
    await pause(-Math.log(1 - Math.random()) * everyS * 1_000);
    const running = listRunning(run.pid as number);
    const chosen = isSingle
      ? running.filter((_, index) => index === Math.floor(Math.random() * running.length))
      : running;
    const stopped = chosen.filter((pid) => signal(pid, 'SIGSTOP'));
    await pause(SHORTEST_S * (maxS / SHORTEST_S) ** Math.random() * 1_000);
    for (const pid of stopped) signal(pid, 'SIGCONT');
    if (stopped.length > 0) count++;
  }
  return count;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '8' },
    max: { type: 'string', default: '5' },
    single: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
} else {
  const run = spawn(process.execPath, ['scripts/bootstrap.mjs', 'test', ...positionals], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  const options = { everyS: Number(values.every), maxS: Number(values.max), isSingle: values.single };
  console.log(`stopped ${await standStill(run, options)} times`);
  process.exitCode = run.exitCode ?? 1;
}
