import { ApiError } from '../lib/errors.ts';
import { type Config, ConfigError } from './config.ts';
import { DataFolderInUseError } from './data-folder.ts';

/** The program cannot start. `message` says why and `nextStep` what to do; neither needs the stack to be understood. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly nextStep: string;

  constructor(message: string, nextStep: string, cause: unknown) {
    super(message, { cause });
    this.nextStep = nextStep;
  }
}

/** Turns what went wrong at start into words for the operator; what is not known passes unchanged. */
export function explainStartError(error: unknown, config: Config): unknown {
  if (error instanceof StartError || error instanceof ConfigError) return error;
  if (error instanceof DataFolderInUseError) {
    return new StartError(error.message, 'Stop that process, or set DIALPLANE_DATA to another folder.', error);
  }
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    return new StartError(
      `Port ${config.port} is taken by another program.`,
      `Set PORT to a free one, for example: PORT=${config.port + 1} npm start`,
      error,
    );
  }
  if (code === 'EACCES' && config.port < 1024) {
    return new StartError(`Port ${config.port} needs privileges.`, 'Set PORT to 1024 or more.', error);
  }
  if (config.databaseUrl !== null) return explainDatabaseError(error, code, config.databaseUrl);
  return error;
}

const DATABASE_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name does not resolve at the moment',
  ETIMEDOUT: 'it does not answer',
  ENOENT: 'there is no such socket',
  '28P01': 'the password is wrong',
  '28000': 'this user may not log in',
  '3D000': 'this database does not exist; create it first',
  '42501': 'this user may not create tables there',
};

function explainDatabaseError(error: unknown, code: string | undefined, databaseUrl: string): unknown {
  const problem = code === undefined ? undefined : DATABASE_PROBLEMS[code];
  if (problem === undefined) return error;
  return new StartError(
    `DATABASE_URL (${withoutPassword(databaseUrl)}) cannot be used: ${problem}.`,
    'Check the address, or leave DATABASE_URL unset to use the embedded PostgreSQL.',
    error,
  );
}

function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = '';
  return url.href;
}

/** The code of the failure or of what caused it (several addresses of one host fail together). */
function codeOf(error: unknown): string | undefined {
  if (error instanceof ApiError) return codeOf(error.cause);
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof Error && 'code' in error) return String(error.code);
  return undefined;
}
