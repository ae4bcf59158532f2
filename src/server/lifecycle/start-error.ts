import { IncompatibleDatabaseError } from '../../db/migrate.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { START_PROGRAM } from '../../lib/program.ts';
import { DataFolderError, DataFolderInUseError } from '../install/data-folder.ts';
import { type Config, ConfigError } from '../settings/config.ts';
import { explainDatabaseError } from './database-error.ts';

/**
 * The program cannot start. `message` is the reason and `nextStep` the remedy. Both are complete sentences without the
 * stack.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly nextStep: string;

  constructor(message: string, nextStep: string, cause: unknown) {
    super(message, { cause });
    this.nextStep = nextStep;
  }
}

/** Explains an error of the start to the operator. Returns an unknown error unchanged. */
export function explainStartError(error: unknown, config: Config): unknown {
  if (error instanceof StartError || error instanceof ConfigError) return error;
  if (error instanceof DataFolderInUseError) {
    return new StartError(error.message, 'Stop that process, or set DIALPLANE_DATA to another folder.', error);
  }
  if (error instanceof DataFolderError) {
    return new StartError(error.message, 'Set DIALPLANE_DATA to a folder that this user may make and write to.', error);
  }
  if (error instanceof IncompatibleDatabaseError) {
    const empty =
      config.databaseUrl === null ? 'Set DIALPLANE_DATA to a new folder' : 'Set DATABASE_URL to an empty database';
    return new StartError(error.message, `${empty}, or run the version that made this one.`, error);
  }
  const cause = error instanceof ApiError ? error.cause : error;
  if (config.databaseUrl !== null) {
    const found = explainDatabaseError(cause, config.databaseUrl);
    return found === undefined ? error : new StartError(found.problem, found.nextStep, error);
  }
  // A file in the folder is damaged, or the disk is full.
  if (cause instanceof Error && 'syscall' in cause && 'path' in cause) {
    return new StartError(
      `The data folder ${config.dataFolder} cannot be used: ${cause.message}.`,
      'Make sure that this user may write there and that the disk has space, or set DIALPLANE_DATA to another folder.',
      error,
    );
  }
  return error;
}

/** Explains why the program cannot listen on HOST and PORT. */
export function explainListenError(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const [message, nextStep] = listenProblem(code, host, port) ?? [];
  return message === undefined || nextStep === undefined ? error : new StartError(message, nextStep, error);
}

function listenProblem(code: string, host: string, port: number): readonly [string, string] | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return [
        `Another program uses port ${port}.`,
        `Set PORT to a free port, for example: PORT=${port + 1} ${START_PROGRAM}`,
      ];
    case 'EACCES':
    case 'EPERM':
      return [`This user may not listen on port ${port} of ${host}.`, 'Set PORT to 1024 or more.'];
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [
        `HOST is "${host}", a name that does not resolve.`,
        'Set HOST to an address of this machine: 127.0.0.1 for this machine alone, 0.0.0.0 or :: for all networks.',
      ];
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return [
        `HOST is "${host}", which is not an address of this machine.`,
        'Set HOST to an address of this machine: 127.0.0.1 for this machine alone, 0.0.0.0 or :: for all networks.',
      ];
    default:
      return undefined;
  }
}
