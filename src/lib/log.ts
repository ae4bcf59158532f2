import { hostname } from 'node:os';
import { type Logger, pino } from 'pino';
import { VERSION } from './program.ts';

/**
 * Makes the program's log: JSON lines on standard output. Each line names the node (host and process) and the version.
 * Of an error, the log shows only type, message, code, stack and causes: the error of a database driver also contains
 * whole statements, and quotes the row in its `detail`.
 */
export function createLog(level: string): Logger {
  const base = { node: `${hostname()}-${process.pid}`, version: VERSION };
  return pino({ level, base, serializers: { err: describeError } });
}

type ErrorLine = { type: string; message: string; code?: string; stack?: string; cause?: ErrorLine };

const CAUSES_MAX = 4;

/** Returns the parts of a thrown value that the log shows. */
function describeError(thrown: unknown, depth = 0): ErrorLine {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const line: ErrorLine = { type: thrown.constructor.name, message: thrown.message };
  if ('code' in thrown) line.code = String(thrown.code);
  if (thrown.stack !== undefined) line.stack = thrown.stack;
  if (thrown.cause !== undefined && depth < CAUSES_MAX) line.cause = describeError(thrown.cause, depth + 1);
  return line;
}
