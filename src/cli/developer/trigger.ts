/**
 * `dialplane trigger`: makes an event happen in test mode. It sends the requests and plays the people that cause such
 * an event.
 */
import { EVENT_CATALOG, EVENT_TYPES, type EventType } from '../../domain/events/index.ts';
import { PROGRAM } from '../../lib/program.ts';
import { after } from '../../lib/time/time.ts';
import { type Arguments, type Command, CommandError, show, type Terminal, tell, UsageError } from '../command.ts';
import { didYouMean } from '../similar.ts';
import { type FeedEvent, openEvents } from './event-feed.ts';
import { ACCESS_MEANINGS, ACCESS_OPTIONS, ACCESS_USAGE, findServer, requireTestMode } from './server-access.ts';
import { ACCOUNT_RECIPES } from './trigger/account-recipes.ts';
import { CALL_RECIPES } from './trigger/call-recipes.ts';
import { readChange } from './trigger/changes.ts';
import type { Recipe } from './trigger/recipe.ts';
import { createStage, type Step } from './trigger/stage.ts';
import { TEXT_RECIPES } from './trigger/text-recipes.ts';

/** Why test mode cannot cause an event. */
type Obstacle = { readonly obstacle: string };

/** How each event is caused in test mode. */
const RECIPES: Readonly<Record<EventType, Recipe | Obstacle>> = {
  ...TEXT_RECIPES,
  ...CALL_RECIPES,
  ...ACCOUNT_RECIPES,
  'balance.low': { obstacle: 'Test keys have no balance: nothing costs anything.' },
};

/** How long an event may take after the last step. The slowest events come after a phone has rung. */
const EVENT_WITHIN_MS = 30_000;

export const triggerCommand: Command = {
  name: 'trigger',
  usage: `EVENT [--tenant TENANT_ID] [--set FIELD=VALUE ...] [--list] ${ACCESS_USAGE}`,
  summary: 'Make an event happen in test mode, such as message.received',
  positionals: 0,
  optionalPositional: true,
  options: ['tenant', ...ACCESS_OPTIONS],
  repeatable: ['set'],
  flags: ['list'],
  meanings: {
    tenant: 'The tenant whose oldest number is used. By default one is made for these events',
    set: 'Changes a field of the request that the event is about; can be given several times',
    list: 'List all events',
    ...ACCESS_MEANINGS,
  },
  suggest: () => EVENT_TYPES.map((word) => ({ word, meaning: EVENT_CATALOG[word].when })),
  examples: [`${PROGRAM} trigger message.received --set body="Is Biscuit ready?"`, `${PROGRAM} trigger call.completed`],
  run: async (args, terminal) => {
    if (args.flags.has('list')) {
      listTypes(terminal);
      return 0;
    }
    const type = typeOf(args);
    const steps: Step[] = [];
    const event = await trigger(type, { args, terminal }, (step) => {
      steps.push(step);
      if (!terminal.json) terminal.out(lineOf(step));
    });
    tell(terminal, { event, steps }, [`${event.type}  ${event.id}  ${event.resource_id}`]);
    return 0;
  },
};

function listTypes(terminal: Terminal): void {
  const rows = EVENT_TYPES.map((type) => {
    const recipe = RECIPES[type];
    const when = 'obstacle' in recipe ? `Not in test mode. ${recipe.obstacle}` : EVENT_CATALOG[type].when;
    return { event: type, when };
  });
  show(terminal, rows, ['event', 'when']);
}

function typeOf({ positionals }: Arguments): EventType {
  const [typed] = positionals;
  if (typed === undefined) throw new UsageError('the event is missing; --list lists all');
  const type = EVENT_TYPES.find((candidate) => candidate === typed);
  if (type !== undefined) return type;
  throw new UsageError(`there is no event ${typed}.${didYouMean(typed, EVENT_TYPES)} --list lists all`);
}

/** Plays the recipe of an event, and waits until the event is in the account's record. */
async function trigger(
  type: EventType,
  { args, terminal }: { readonly args: Arguments; readonly terminal: Terminal },
  onStep: (step: Step) => void,
): Promise<FeedEvent> {
  const changes = (args.lists['set'] ?? []).map(readChange);
  const recipe = recipeOf(type);
  const server = findServer(args, terminal);
  await requireTestMode(server);
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal]);
  const { next } = await openEvents(server, { tenantId: undefined, replay: 0, signal, onReach: () => undefined });
  const stage = createStage({ server, tenantId: args.options['tenant'], changes, show: onStep });
  const subject = await recipe(stage);
  const timer = after(EVENT_WITHIN_MS, () => stop.abort());
  try {
    for await (const event of next) {
      if (event.type === type && isAbout(event, subject)) return event;
    }
  } finally {
    timer.cancel();
    stop.abort();
  }
  throw new CommandError(`No ${type} came within ${EVENT_WITHIN_MS / 1_000} s after these steps.`);
}

function recipeOf(type: EventType): Recipe {
  const recipe = RECIPES[type];
  if (typeof recipe === 'function') return recipe;
  const sample = `POST /v1/webhook_endpoints/{endpoint_id}/test {"event_type": "${type}"} sends a sample.`;
  throw new CommandError(`${type} cannot happen in test mode. ${recipe.obstacle} ${sample}`);
}

function isAbout({ resource_id, data }: FeedEvent, subject: string): boolean {
  return resource_id === subject || Object.values(data).includes(subject);
}

function lineOf({ request, body, result }: Step): string {
  return [request, ...(body === undefined ? [] : [JSON.stringify(body)]), result].join('  ');
}
