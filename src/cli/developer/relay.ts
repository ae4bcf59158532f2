/** `dialplane relay`: a text agent on this machine that answers a number of test mode. */
import { once } from 'node:events';
import { PROGRAM } from '../../lib/program.ts';
import { every } from '../../lib/time/time.ts';
import { type Arguments, type Command, type Terminal, tell, UsageError } from '../command.ts';
import { untilInterrupted } from './following.ts';
import { type EchoEvent, startEcho } from './relay/echo.ts';
import { type Routed, routeNumber } from './relay/route.ts';
import { ACCESS_MEANINGS, ACCESS_OPTIONS, ACCESS_USAGE, findServer, requireTestMode } from './server-access.ts';

const ALIVE_EVERY_MS = 60_000;

export const relayCommand: Command = {
  name: 'relay',
  usage: `(--echo | --to URL) [--number NUMBER] [--port PORT] ${ACCESS_USAGE}`,
  summary: 'Try an agent of text: one that repeats what callers say, or your own, on a number of test mode',
  description:
    'With --number the agent answers that number until Ctrl+C, which restores its routing. The server is on this machine.',
  positionals: 0,
  flags: ['echo'],
  options: ['to', 'number', 'port', ...ACCESS_OPTIONS],
  meanings: {
    echo: 'Start an agent on this machine that repeats what callers say; it ends the relay when a caller presses #',
    to: 'The address of your own agent, such as ws://localhost:9001/',
    number: 'A number of test mode that the agent answers, such as +16025550100',
    port: 'The port of the agent that repeats; any free one by default',
    ...ACCESS_MEANINGS,
  },
  examples: [
    `${PROGRAM} relay --echo --number +16025550100`,
    `${PROGRAM} relay --to ws://localhost:9001/ --number +16025550100`,
  ],
  run: async (args, terminal) => {
    const wanted = wantedOf(args);
    const { number } = args.options;
    const server = findServer(args, terminal);
    await requireTestMode(server);
    await untilInterrupted(async (signal) => {
      const agent =
        'to' in wanted ? { url: wanted.to, close: () => undefined } : await startEcho(wanted.port, report(terminal));
      try {
        const routed = number === undefined ? undefined : await routeNumber(server, number, agent.url);
        try {
          greet(terminal, agent.url, routed);
          await aborted(signal);
        } finally {
          await routed?.restore();
        }
      } finally {
        agent.close();
      }
    });
    return 0;
  },
};

function wantedOf({ flags, options }: Arguments): { to: string } | { port: number } {
  const { to, port } = options;
  if (flags.has('echo') === (to !== undefined))
    throw new UsageError('give --echo, or --to with the address of your agent');
  if (to === undefined) {
    const wanted = Number(port ?? 0);
    if (Number.isInteger(wanted) && wanted >= 0 && wanted <= 65_535) return { port: wanted };
    throw new UsageError('--port takes a port of this machine, such as 9001');
  }
  if (port !== undefined) throw new UsageError('--port is the port of the agent of --echo');
  if (/^wss?:$/.test(URL.parse(to)?.protocol ?? '')) return { to };
  throw new UsageError(`--to is "${to}"; give an address such as ws://localhost:9001/`);
}

function greet(terminal: Terminal, url: string, routed: Routed | undefined): void {
  const number = routed?.number ?? null;
  const next =
    number === null
      ? ['Let it answer a number:', `  ${PROGRAM} relay --to ${url} --number +1…`]
      : [
          ...[`Number  ${number}`, 'Call it from another terminal, then type /call, /say Hello and /hangup:'],
          `  ${PROGRAM} phone +16025550143 --to ${number}`,
        ];
  tell(terminal, { agent: url, number }, [`Agent   ${url}`, ...next]);
  terminal.err(`Ctrl+C ends it${number === null ? '' : `, and restores the routing of ${number}`}.`);
}

const report = (terminal: Terminal) => (event: EchoEvent) => {
  const { call_id, type, text } = event;
  terminal.out(terminal.json ? JSON.stringify(event) : `${call_id}  ${type.padEnd(9)}  ${text}`.trimEnd());
};

/** Waits until the user ends the command. A timer keeps this process alive, because the agent may be elsewhere. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const alive = every(ALIVE_EVERY_MS, () => undefined);
  await once(signal, 'abort');
  alive.cancel();
}
