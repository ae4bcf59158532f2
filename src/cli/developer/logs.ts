/** `dialplane logs`: the requests and events of an account, as they happen. */
import { METHODS } from '../../http/edge/observe.ts';
import { PROGRAM } from '../../lib/program.ts';
import { type Arguments, type Command, CommandError, type Terminal, UsageError } from '../command.ts';
import { findSimilar } from '../similar.ts';
import { type FeedEvent, openEvents } from './event-feed.ts';
import { openFeed, PAGE_MAX } from './feed.ts';
import { reachReporter, untilInterrupted } from './following.ts';
import {
  ACCESS_MEANINGS,
  ACCESS_OPTIONS,
  ACCESS_USAGE,
  API,
  callApi,
  findServer,
  type ServerAccess,
} from './server-access.ts';

type LoggedRequest = {
  readonly id: string;
  readonly created_at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly error_code: string | null;
  readonly duration_ms: number;
  readonly idempotent_replayed: boolean;
};

const FILTERS = ['status', 'method', 'path', 'error'] as const;
const LAST = 20;
/** With this interval, reading both lists takes a tenth of a key's requests. */
const LOOK_MS = 1_000;

export const logsCommand: Command = {
  name: 'logs',
  usage: `[--follow] [--last COUNT] [--requests] [--events] [--status STATUS] [--method METHOD] [--path PATH] [--error CODE] [--tenant TENANT_ID] ${ACCESS_USAGE}`,
  summary: 'Show the requests and events of an account, with --follow as they happen',
  positionals: 0,
  options: ['last', ...FILTERS, 'tenant', ...ACCESS_OPTIONS],
  flags: ['follow', 'requests', 'events'],
  meanings: {
    follow: 'Show new requests and events too, until Ctrl+C',
    last: `Number of the latest requests and events to show first, at most ${PAGE_MAX}, by default ${LAST}`,
    requests: 'Show only requests; each of the four filters below does the same',
    events: 'Show only events; with --requests or a filter, show events too',
    status: 'Requests with this status, such as 422, or a class of them such as 4xx',
    method: 'Requests with this method',
    path: 'Requests to this path, with names in place of ids: "/v1/messages/{message_id}"',
    error: 'Requests that ended with this error code',
    tenant: 'Show only this tenant',
    ...ACCESS_MEANINGS,
  },
  examples: [`${PROGRAM} logs --follow`, `${PROGRAM} logs --follow --status 4xx --path /v1/messages`],
  run: async (args, terminal) => {
    const wanted = readWanted(args);
    const server = findServer(args, terminal);
    if (wanted.requests?.['route'] !== undefined) await requireRoute(server, wanted.requests['route']);
    await untilInterrupted((signal) => showLogs({ server, terminal, signal }, wanted));
    return 0;
  },
};

type Wanted = {
  /** Filters of the list of requests; absent if the command shows no requests. */
  readonly requests: Readonly<Record<string, string>> | undefined;
  readonly events: boolean;
  readonly tenantId: string | undefined;
  readonly last: number;
  readonly follow: boolean;
};

function readWanted(args: Arguments): Wanted {
  const { options, flags } = args;
  const tenantId = options['tenant'];
  const isFiltered = FILTERS.some((name) => options[name] !== undefined);
  const hasRequests = flags.has('requests') || isFiltered || !flags.has('events');
  const given = {
    tenant_id: tenantId,
    status: checked(
      options['status'],
      /^[1-5](\d\d|xx)$/,
      '--status takes a status such as 404, or a class such as 4xx',
    ),
    method: methodOf(options['method']),
    route: routeOf(options['path']),
    error_code: options['error'],
  };
  return {
    requests: hasRequests
      ? Object.fromEntries(
          Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        )
      : undefined,
    events: flags.has('events') || !(flags.has('requests') || isFiltered),
    tenantId,
    last: Number(checked(options['last'] ?? String(LAST), /^(\d\d?|100)$/, `--last takes a number up to ${PAGE_MAX}`)),
    follow: flags.has('follow'),
  };
}

function checked(value: string | undefined, form: RegExp, refusal: string): string | undefined {
  if (value !== undefined && !form.test(value)) throw new UsageError(refusal);
  return value;
}

function methodOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const method = METHODS.find((candidate) => candidate === text.toUpperCase());
  if (method === undefined) throw new UsageError(`--method takes one of ${METHODS.join(', ')}`);
  return method;
}

const ID = /\/[a-z0-9]+_[0-9a-z]{26}(\/|$)/;

/** Returns the route that a path names. `/v1` may be left out. */
function routeOf(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const whole = `/${path.replace(/^\/+/, '').replace(/\/+$/, '')}`;
  if (ID.test(whole)) {
    throw new UsageError('--path takes names in place of ids, such as "/v1/messages/{message_id}"');
  }
  return whole === '/v1' || whole.startsWith('/v1/') ? whole : `/v1${whole}`;
}

/** Throws for a route that the server does not have, because no request can match it. */
async function requireRoute(server: ServerAccess, route: string): Promise<void> {
  const reply = await callApi<{ paths: Record<string, unknown> }>(server, {
    method: 'GET',
    path: `${API}/openapi.json`,
  });
  const routes = Object.keys(reply.body.paths);
  if (routes.includes(route)) return;
  const below = routes.filter((other) => groupOf(other) === groupOf(route));
  const next = below.length > 0 ? ` Below ${groupOf(route)} there are ${below.join(', ')}.` : nearestTo(route, routes);
  throw new CommandError(`${server.url} has no path ${route}.${next || ` ${server.url}/docs/operations lists all.`}`);
}

/** Returns `/v1` and the first part of the path after it. */
function groupOf(route: string): string {
  return route.split('/').slice(0, 3).join('/');
}

/** Suggests a path that differs in a few letters. If there is none, names the paths of the most similar group. */
function nearestTo(route: string, routes: readonly string[]): string {
  const [group] = findSimilar(groupOf(route), [...new Set(routes.map(groupOf))]);
  if (group === undefined) return '';
  const meant = route.replace(groupOf(route), group);
  if (routes.includes(meant)) return ` Did you mean ${meant}?`;
  return ` Below ${group} there are ${routes.filter((other) => groupOf(other) === group).join(', ')}.`;
}

type Place = { readonly server: ServerAccess; readonly terminal: Terminal; readonly signal: AbortSignal };

type Line = { readonly id: string; print(): void };

async function showLogs({ server, terminal, signal }: Place, wanted: Wanted): Promise<void> {
  const { requests, events, tenantId, last, follow } = wanted;
  const options = { replay: last, signal, lookMs: LOOK_MS, onReach: reachReporter(terminal, server) };
  const showRequest = (request: LoggedRequest) => print(terminal, request, requestLine(terminal, request));
  const showEvent = (event: FeedEvent) => print(terminal, event, eventLine(terminal, event));
  const [requestFeed, eventFeed] = await Promise.all([
    requests && openFeed<LoggedRequest>(server, { ...options, path: '/request_log', query: requests }),
    events ? openEvents(server, { ...options, tenantId }) : undefined,
  ]);
  const past: Line[] = [
    ...(requestFeed?.past ?? []).map((request) => ({ id: request.id, print: () => showRequest(request) })),
    ...(eventFeed?.past ?? []).map((event) => ({ id: event.id, print: () => showEvent(event) })),
  ];
  past.sort((a, b) => (timeIn(a) < timeIn(b) ? -1 : 1));
  for (const line of past.slice(Math.max(past.length - last, 0))) line.print();
  if (!follow) return;
  terminal.err(`Showing the requests and events of ${server.url}. Ctrl+C ends this.`);
  await Promise.all([requestFeed && each(requestFeed.next, showRequest), eventFeed && each(eventFeed.next, showEvent)]);
}

async function each<T>(items: AsyncIterable<T>, show: (item: T) => void): Promise<void> {
  for await (const item of items) show(item);
}

/**
 * Returns the part of an id that sorts by time. This time is real time in test mode too. The time of an event is not.
 */
function timeIn({ id }: Line): string {
  return id.slice(id.indexOf('_') + 1);
}

function print(terminal: Terminal, value: object, line: string): void {
  terminal.out(terminal.json ? JSON.stringify(value) : line);
}

const shortTime = (moment: string) => new Date(moment).toTimeString().slice(0, 8);

function requestLine(terminal: Terminal, request: LoggedRequest): string {
  const { id, created_at, method, path, status, error_code, duration_ms, idempotent_replayed } = request;
  const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';
  const notes = [error_code ?? '', idempotent_replayed ? 'replayed' : ''].filter((note) => note !== '');
  return [
    shortTime(created_at),
    terminal.style(colour, String(status)),
    method.padEnd(6),
    path,
    ...notes.map((note) => terminal.style(colour, note)),
    `${Math.round(duration_ms)} ms`,
    id,
  ].join('  ');
}

function eventLine(terminal: Terminal, { id, created_at, type, resource_id }: FeedEvent): string {
  return [shortTime(created_at), terminal.style('cyan', 'event'.padEnd(11)), type, resource_id, id].join('  ');
}
