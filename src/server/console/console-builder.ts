import type { Logger } from 'pino';
import type { ConsoleApp } from '../../http/console/app-routes.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { monotonicMs } from '../../lib/time/time.ts';
import {
  buildConsole,
  buildOrRepair,
  canBuildConsole,
  consoleFolder,
  findOutdated,
  hasConsoleSources,
  installBuilder,
  ROOT,
} from './console-build.ts';

/** The console of this process: its folder, and its build in the background. */
export type ConsoleBuilder = ConsoleApp & {
  /** Builds the console if it is missing or older than its sources. Returns immediately. */
  start(): void;
  /** Ends a running build. */
  stop(): Promise<void>;
};

const BY_HAND = 'run "npm run build" in the checkout';

/** The console of this checkout, without a build in the background. */
export const BUILT_CONSOLE: ConsoleApp = {
  folder: consoleFolder(ROOT),
  missing: () => ({ isBuilding: false, text: `The console is not built here. To build it, ${BY_HAND}.` }),
};

type BuilderOptions = {
  /** Whether the console may be built here if the folder has its sources. The npm package already contains a build. */
  readonly builds: boolean;
  /** Whether missing packages of the build may be installed. */
  readonly installs?: boolean;
  readonly root?: string;
};

/** Returns the console of this process. */
export function createConsoleBuilder(
  log: Logger,
  { builds, installs = false, root = ROOT }: BuilderOptions,
): ConsoleBuilder {
  if (!builds || !hasConsoleSources(root)) {
    return { ...BUILT_CONSOLE, start: () => undefined, stop: () => Promise.resolve() };
  }
  const ended = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let problem: string | undefined;

  const build = async () => {
    try {
      const hash = await findOutdated(root);
      if (hash === undefined || ended.signal.aborted) return;
      const options = { root, signal: ended.signal, inBackground: true };
      if (installs && !(await canBuildConsole(root))) {
        log.info('installing the packages that build the console, in the background');
        await installBuilder(options);
      }
      const beganMs = monotonicMs();
      log.info('building the console in the background');
      await (installs ? buildOrRepair : buildConsole)({ ...options, hash });
      log.info({ ms: Math.round(monotonicMs() - beganMs) }, 'the console is built');
    } catch (error) {
      if (ended.signal.aborted) return;
      problem = reasonOf(error);
      log.warn({ reason: problem }, `the console could not be built; ${BY_HAND}`);
    }
  };

  return {
    folder: consoleFolder(root),
    missing: () => {
      if (problem === undefined) return { isBuilding: true, text: 'The console is being built. This takes a moment.' };
      return { isBuilding: false, text: `The console could not be built. To see why, ${BY_HAND}.` };
    },
    start: () => {
      running = build();
    },
    stop: async () => {
      ended.abort();
      await running;
    },
  };
}
