import { type Logger, pino } from 'pino';

/**
 * The program's log: JSON lines on standard output. Errors are cut down to what explains them: a database driver's
 * error carries whole statements, and its `detail` quotes the row, so neither may reach the log.
 */
export function createLog(level: string): Logger {
  return pino({ level, base: null, serializers: { err: describeError } });
}

type ErrorLine = { type: string; message: string; code?: string; stack?: string; cause?: ErrorLine };

const CAUSES_MAX = 4;

/** What the log keeps of something that was thrown. */
export function describeError(thrown: unknown, depth = 0): ErrorLine {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const line: ErrorLine = { type: thrown.constructor.name, message: thrown.message };
  if ('code' in thrown) line.code = String(thrown.code);
  if (thrown.stack !== undefined) line.stack = thrown.stack;
  if (thrown.cause !== undefined && depth < CAUSES_MAX) line.cause = describeError(thrown.cause, depth + 1);
  return line;
}
