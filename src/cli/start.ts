import { createLog } from '../lib/log.ts';
import { readConfig } from '../server/config.ts';
import type { Running } from '../server/start.ts';
import type { Command, Terminal } from './command.ts';

const STOP_WITHIN_MS = 10_000;
const CREATE_ACCOUNT = 'node bin/dialplane.mjs accounts create NAME';

export const startCommand: Command = {
  name: 'start',
  usage: '[--roles api,worker,gateway]',
  summary: 'Serve, by default in all roles',
  positionals: 0,
  options: ['roles'],
  run: async ({ options }, terminal) => {
    const roles = options['roles']?.split(',').map((role) => role.trim());
    const config = roles === undefined ? readConfig() : readConfig(undefined, roles);
    const log = createLog(config.logLevel);
    // Heard from the first moment on, so that a start can be called off as well.
    const ending = endingOf();
    // The whole product is loaded for this command only, so that the others are quick.
    const { startServer } = await import('../server/start.ts');
    const calledOff = new AbortController();
    let running: Running | undefined;
    const drained = ending.then(async () => {
      calledOff.abort(new Error('called off'));
      // Calls whose audio is here may take their time; what comes after may not.
      await running?.drain();
      armDeadline(terminal);
    });
    try {
      running = await startServer({
        config,
        log,
        onProgress: (text) => terminal.err(text),
        signal: calledOff.signal,
      });
    } catch (error) {
      if (!calledOff.signal.aborted) throw error;
      log.debug({ err: error }, 'the start was called off');
      return 0;
    }
    greet(running, terminal);
    const end = await Promise.race([ending, running.lost.then((how) => ({ lost: how }))]);
    if ('lost' in end) {
      terminal.err(`The embedded PostgreSQL has ended by itself (${end.lost}); stopping.`);
      armDeadline(terminal);
    }
    if (!('lost' in end)) await drained;
    await running.stop();
    return 'lost' in end ? 1 : 0;
  },
};

/** What does not end in time ends with the process: its leases run out and other work takes over. */
function armDeadline(terminal: Terminal): void {
  setTimeout(() => {
    terminal.err('Not everything ended in time.');
    process.exit(1);
  }, STOP_WITHIN_MS).unref();
}

type Ending = { signal: NodeJS.Signals };

/** A terminal and npm both pass one Ctrl-C on: what comes within this time is the same wish. */
const SAME_SIGNAL_MS = 1_000;

/** Resolves at the first signal to end; a later one ends the process at once. */
function endingOf(): Promise<Ending> {
  return new Promise((resolve) => {
    let askedMs: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        const nowMs = performance.now();
        if (askedMs !== undefined && nowMs - askedMs > SAME_SIGNAL_MS) process.exit(signal === 'SIGINT' ? 130 : 143);
        askedMs ??= nowMs;
        resolve({ signal });
      });
    }
  });
}

function greet({ url, keys, lacksAccount }: Running, terminal: Terminal): void {
  if (terminal.json) {
    terminal.out(JSON.stringify({ event: 'ready', url, ...(keys !== undefined && keysToShow(keys, terminal)) }));
    return;
  }
  const lines = ['', 'Dialplane is ready.', '', `  API            ${url}/v1`, `  Documentation  ${url}/docs`];
  if (keys !== undefined) lines.push(...describeKeys(keys, terminal), '', ...firstRequest(url, keys), '');
  if (lacksAccount) lines.push('', 'There is no account yet. Make one, with its keys:', '', `  ${CREATE_ACCOUNT}`, '');
  terminal.out(lines.join('\n'));
}

type Keys = NonNullable<Running['keys']>;

/** Keys are shown on the start that made them; afterwards only where they are. */
function keysToShow({ account_id, test_key, live_key, fresh, file: keys_file }: Keys, { isInteractive }: Terminal) {
  return {
    account_id,
    ...(fresh && { test_key }),
    // A live key costs money: it does not go where output is collected.
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
