/** Helpers of commands that run until they are interrupted. */
import type { Terminal } from '../command.ts';
import type { ServerAccess } from './server-access.ts';

/** Runs the work of a command until it ends, or until Ctrl+C or SIGTERM aborts its signal. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  try {
    await work(stop.signal);
  } finally {
    stop.abort();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
  }
}

/** Returns a function that reports on standard error that a server does not answer, or that it answers again. */
export function reachReporter(terminal: Terminal, { url }: ServerAccess): (problem: string | undefined) => void {
  let isAway = false;
  return (problem) => {
    if ((problem !== undefined) === isAway) return;
    isAway = problem !== undefined;
    terminal.err(problem === undefined ? `${url} answers again.` : `${problem}. Trying again.`);
  };
}
