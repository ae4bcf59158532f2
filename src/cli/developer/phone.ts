/** `dialplane phone`: the handset of a simulated person in the terminal. */
import { PROGRAM } from '../../lib/program.ts';
import { type Command, CommandError } from '../command.ts';
import { createHandset, type Handset } from './phone/handset.ts';
import { readLine } from './phone/input.ts';
import { createOwnNumbers } from './phone/own-numbers.ts';
import { createDiary, type PhoneEvent } from './phone/phone-events.ts';
import { createScreen, type Screen } from './phone/screen.ts';
import { createWatch } from './phone/watch.ts';
import { ACCESS_MEANINGS, ACCESS_OPTIONS, ACCESS_USAGE, findServer, requireTestMode } from './server-access.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export const phoneCommand: Command = {
  name: 'phone',
  usage: `NUMBER [--tenant TENANT_ID] [--to NUMBER] ${ACCESS_USAGE}`,
  summary: 'Be a simulated person: text and call the numbers of test mode from the terminal',
  positionals: 1,
  options: ['tenant', 'to', ...ACCESS_OPTIONS],
  meanings: {
    tenant: 'Only the numbers, texts and calls of this tenant',
    to: 'The number that texts and calls go to; by default the only one that there is',
    ...ACCESS_MEANINGS,
  },
  examples: [`${PROGRAM} phone +16025550143`, `echo "Is Biscuit ready?" | ${PROGRAM} phone +16025550143`],
  run: async (args, terminal) => {
    const [number = ''] = args.positionals;
    const { tenant: tenantId, to } = args.options;
    const server = findServer(args, terminal);
    await requireTestMode(server);
    const stop = new AbortController();
    const { signal } = stop;
    const screen = createScreen(terminal, { stdin: terminal.input ?? process.stdin, stdout: process.stdout });
    const ownNumbers = createOwnNumbers(server, tenantId);
    const diary = createDiary(screen.show);
    const onPhoneEvent = (event: PhoneEvent) => {
      if (event.type === 'text') handset.setContact(event.from);
      diary.add(event);
    };
    const watch = createWatch({
      server,
      number,
      tenantId,
      ownNumbers,
      signal,
      onPhoneEvent,
      onProblem: screen.problem,
    });
    const handset = createHandset({ server, number, watch, diary, signal, note: screen.note });
    screen.greet(number, chooseContact(handset, to, await ownNumbers.list()));
    const ready = Promise.withResolvers<void>();
    const watching = watch.run(ready.resolve);
    const typing = ready.promise.then(() => readLines(handset, screen, signal));
    for (const name of SIGNALS) process.once(name, screen.close);
    try {
      await Promise.race([typing, watching]);
    } finally {
      // If the server does not answer, the call ends without this request.
      await handset.leave().catch((error: Error) => screen.problem(error.message));
      for (const name of SIGNALS) process.off(name, screen.close);
      stop.abort();
      ready.resolve();
      screen.close();
      await Promise.allSettled([typing, watching]);
    }
    return 0;
  },
};

/** If there is only one number, chooses it as the number for texts, and returns it. */
function chooseContact(handset: Handset, to: string | undefined, numbers: readonly string[]): string | undefined {
  const contact = to ?? (numbers.length === 1 ? numbers[0] : undefined);
  if (contact !== undefined) handset.setContact(contact);
  return contact;
}

/** Carries out each line in order. On a terminal an error is shown; elsewhere it ends the command. */
async function readLines(handset: Handset, screen: Screen, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const lines = screen.open();
  for await (const line of lines) {
    if (signal.aborted) return;
    try {
      const input = readLine(line);
      if (input.do === 'quit') return;
      await handset.act(input);
    } catch (error) {
      if (!(error instanceof CommandError) || !screen.isInteractive) throw error;
      screen.problem(error.message);
    }
    screen.prompt();
  }
}
