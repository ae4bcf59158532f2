import { createLog } from '../../lib/log.ts';
import { PROGRAM } from '../../lib/program.ts';
import { after, monotonicMs } from '../../lib/time/time.ts';
import type { Running } from '../../server/lifecycle/running.ts';
import { readConfig } from '../../server/settings/config.ts';
import { type Command, CommandError, type Terminal } from '../command.ts';
import { describeDetour } from '../developer/server-access.ts';

const STOP_WITHIN_MS = 10_000;
const PRINT_LINK = `${PROGRAM} console`;
const CREATE_ACCOUNT = `${PROGRAM} accounts create NAME`;

export const startCommand: Command = {
  name: 'start',
  usage: '[--roles api,worker,gateway] [--paused]',
  summary: 'Serve, by default in all roles',
  positionals: 0,
  options: ['roles'],
  flags: ['paused'],
  meanings: { roles: 'The roles of this process, separated by commas', paused: 'Serve reads only and send nothing' },
  run: async ({ options, flags }, terminal) => {
    const roles = options['roles']?.split(',').map((role) => role.trim());
    const config = roles === undefined ? readConfig() : readConfig(undefined, roles);
    const log = createLog(config.logLevel);
    // Signals are handled from the beginning, so that a signal also cancels a start.
    const ending = endingOf();
    // Only this command loads the whole product. Other commands start faster without it.
    const { startServer } = await import('../../server/lifecycle/start.ts');
    const cancelled = new AbortController();
    let running: Running | undefined;
    const drained = ending.then(async ({ signal }) => {
      cancelled.abort(new Error('start cancelled'));
      log.info({ signal }, 'stopping');
      // Calls with audio on this node get the drain time. The rest of the stop has a fixed limit. Ctrl-C skips the time
      // that balancers get to notice the stop.
      await running
        ?.drain({ lameDuck: signal === 'SIGTERM' })
        .catch((error: unknown) => log.error({ err: error }, 'the drain failed; stopping without it'));
      armDeadline(terminal);
    });
    try {
      running = await startServer({
        config,
        log,
        paused: flags.has('paused'),
        onProgress: (text) => terminal.err(text),
        signal: cancelled.signal,
      });
    } catch (error) {
      if (!cancelled.signal.aborted) throw error;
      log.debug({ err: error }, 'the start was cancelled');
      return 0;
    }
    greet(running, terminal, await makeLink(running, terminal));
    const detour = detourOf(running);
    if (detour !== undefined) terminal.err(detour);
    const { url, metricsUrl } = running;
    log.info({ url, roles: config.roles, metrics_url: metricsUrl, uid: process.getuid?.() }, 'ready');
    const end = await Promise.race([ending, running.lost.then((how) => ({ lost: how }))]);
    if ('lost' in end) {
      terminal.err(`${end.lost} Stopping.`);
      armDeadline(terminal);
    }
    if (!('lost' in end)) await drained;
    await running.stop();
    log.info('stopped');
    return 'lost' in end ? 1 : 0;
  },
};

/**
 * When the limit is over, the process exits with unfinished work. The leases of the work expire, and another process
 * repeats it.
 */
function armDeadline(terminal: Terminal): void {
  after(STOP_WITHIN_MS, () => {
    terminal.err('Not everything ended in time.');
    process.exit(1);
  }).unref();
}

type Ending = { signal: NodeJS.Signals };

/** A terminal and npm both deliver a Ctrl-C, so signals within this time count as one. */
const SAME_SIGNAL_MS = 1_000;

/** Resolves at the first signal to stop. A later signal ends the process immediately. */
function endingOf(): Promise<Ending> {
  return new Promise((resolve) => {
    let askedMs: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        const nowMs = monotonicMs();
        if (askedMs !== undefined && nowMs - askedMs > SAME_SIGNAL_MS) process.exit(signal === 'SIGINT' ? 130 : 143);
        askedMs ??= nowMs;
        resolve({ signal });
      });
    }
  });
}

/**
 * Returns a link for signing in if the output is a terminal. Other output is often stored in logs, which more people
 * read.
 */
async function makeLink({ makeConsoleLink }: Running, terminal: Terminal): Promise<string | undefined> {
  return terminal.isInteractive ? await makeConsoleLink?.() : undefined;
}

/** Returns a sentence if commands in the folder of an embedded install use another server. */
function detourOf({ keys, url }: Running): string | undefined {
  try {
    return keys === undefined ? undefined : describeDetour(url);
  } catch (error) {
    // The commands that use the profiles report damaged ones.
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

function greet(
  { url, keys, lacksAccount, makeConsoleLink }: Running,
  terminal: Terminal,
  console: string | undefined,
): void {
  if (terminal.json) {
    const shown = keys !== undefined && keysToShow(keys, terminal);
    terminal.out(JSON.stringify({ event: 'ready', url, ...shown, ...(console && { console_url: console }) }));
    return;
  }
  // If standard output is not a terminal, it has only the log.
  if (!terminal.isInteractive) {
    for (const line of firstWords(keys, lacksAccount)) terminal.err(line);
    if (makeConsoleLink !== null) terminal.err(`To sign in to the console, print a link: ${PRINT_LINK}`);
    return;
  }
  const lines = ['', 'Dialplane is ready.', '', `  API            ${url}/v1`, `  Documentation  ${url}/docs`];
  if (console !== undefined)
    lines.push(`  Console        ${console}`, '                 (signs in once, within an hour)');
  if (keys !== undefined) lines.push(...describeKeys(keys, terminal), '', ...firstRequest(url, keys), '');
  if (lacksAccount) lines.push('', 'There is no account yet. Make one, with its keys:', '', `  ${CREATE_ACCOUNT}`, '');
  terminal.out(lines.join('\n'));
}

/** Returns the first lines of a first start, for an output that is not a terminal. */
function firstWords(keys: Keys | undefined, lacksAccount: boolean): string[] {
  if (keys?.fresh)
    return [`The first account is ${keys.account_id}. Its test key is ${keys.test_key}; ${keys.file} has both keys.`];
  return lacksAccount ? [`There is no account yet. Make one, with its keys: ${CREATE_ACCOUNT}`] : [];
}

type Keys = NonNullable<Running['keys']>;

/** The start that made the keys shows them. Later starts show the path of the keys' file. */
function keysToShow({ account_id, test_key, live_key, fresh, file: keys_file }: Keys, { isInteractive }: Terminal) {
  return {
    account_id,
    ...(fresh && { test_key }),
    // A live key can cost money, so it is not printed to output that may be stored.
    ...(fresh && isInteractive && { live_key }),
    keys_file,
  };
}

function describeKeys(keys: Keys, terminal: Terminal): string[] {
  const { account_id, test_key, live_key, keys_file } = keysToShow(keys, terminal);
  return [
    `  Account        ${account_id}`,
    ...(test_key === undefined ? [] : [`  Test key       ${test_key}`]),
    ...(live_key === undefined ? [] : [`  Live key       ${live_key}`]),
    `  Keys           ${keys_file}`,
  ];
}

function firstRequest(url: string, keys: Keys): string[] {
  const key = keys.fresh ? keys.test_key : `$(node -p "require('${keys.file}').test_key")`;
  return [
    'Try it:',
    '',
    `  curl ${url}/v1/tenants -H "Authorization: Bearer ${key}" \\`,
    `    -H "Content-Type: application/json" -d '{"name": "Desert Paws Clinic"}'`,
  ];
}
