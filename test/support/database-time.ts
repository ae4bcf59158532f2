/**
 * PostgreSQL's clock in the databases of tests. They have functions with the names of PostgreSQL's own functions that
 * read its clock. These functions add the time that the test has skipped, and `search_path` lists them first. So all
 * SQL of the product follows the time of the test, unchanged.
 */
import pg from 'pg';

const CLOCKS = [
  { name: 'now', volatility: 'stable' },
  { name: 'transaction_timestamp', volatility: 'stable' },
  { name: 'statement_timestamp', volatility: 'stable' },
  { name: 'clock_timestamp', volatility: 'volatile' },
];

/**
 * Makes the clock of the template. It runs before the migrations, whose defaults then use it. The value of a sequence
 * is the skipped milliseconds. Reading it takes a third of a microsecond, no snapshot keeps an old value, and the
 * planner replaces the function by the expression.
 */
export const DATABASE_TIME = `
  create sequence skipped_ms minvalue 0 start 0;
  select setval('skipped_ms', 0);
  create function value_of(regclass) returns bigint language internal stable strict parallel safe
    as 'pg_sequence_last_value';
  ${CLOCKS.map(
    ({ name, volatility }) => `create function ${name}() returns timestamptz language sql ${volatility} parallel safe
      as 'select pg_catalog.${name}() + public.value_of(''public.skipped_ms'') * interval ''1 ms''';`,
  ).join('\n')}`;

/** The setting of the server that lists the functions of a database before PostgreSQL's. */
export const DATABASE_TIME_SETTING = { search_path: 'public, pg_catalog' };

/** A database that follows the time of this process, over a separate connection, because a test may cut the others. */
type Follower = {
  readonly url: string;
  client?: pg.Client;
  /** The skipped milliseconds that the database has received. */
  toldMs: number;
  telling?: Promise<void> | undefined;
};

/** Followers by the names of their databases. */
const followers = new Map<string, Follower>();

/** How far the clocks of the databases, and the wall time of this process, are ahead of the machine's clock. */
let skippedMs = 0;

export const wallSkippedMs = (): number => skippedMs;

/** Moves the clocks of the databases, and the wall time of this process, forward. */
export function skipWall(byMs: number): void {
  skippedMs += byMs;
}

/** Sets the wall time back to the machine's time and forgets the databases. For the start of a test file. */
export async function forgetSkips(): Promise<void> {
  await Promise.all([...followers.values()].map(({ url }) => unfollowSkips(url)));
  skippedMs = 0;
}

/** Lets the clock of a new database follow the skips of this process. The first database starts at the real time. */
export function followSkips(url: string): void {
  if (followers.size === 0) skippedMs = 0;
  followers.set(nameOf(url), { url, toldMs: 0 });
}

export async function unfollowSkips(url: string): Promise<void> {
  const follower = followers.get(nameOf(url));
  followers.delete(nameOf(url));
  await follower?.telling;
  const client = follower?.client;
  if (client === undefined) return;
  hold(client, true);
  await client.end();
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

const query = pg.Client.prototype.query as (this: pg.Client, ...values: unknown[]) => unknown;

// The next statement waits until the database has received the skipped time. So a skip itself takes no statement.
pg.Client.prototype.query = function tellFirst(this: pg.Client, ...values: unknown[]) {
  const follower = followers.get(this.database ?? '');
  if (follower !== undefined && follower.toldMs !== skippedMs && this !== follower.client) tell(follower);
  if (follower?.telling === undefined || this === follower.client) return query.apply(this, values);
  const answer = follower.telling.then(() => query.apply(this, values));
  return typeof values.at(-1) === 'function' ? undefined : answer;
} as typeof pg.Client.prototype.query;

function tell(follower: Follower): void {
  follower.toldMs = skippedMs;
  const before = follower.telling ?? Promise.resolve();
  const telling = before
    .then(() => setClock(follower))
    .catch(() => {
      // The server is unavailable, as the waiting statement shows. The next statement sends the time again.
      follower.toldMs = Number.NaN;
    })
    .finally(() => {
      if (follower.telling === telling) follower.telling = undefined;
    });
  follower.telling = telling;
}

async function setClock(follower: Follower): Promise<void> {
  const client = follower.client ?? (await connect(follower));
  follower.client = client;
  hold(client, true);
  const value = Math.round(follower.toldMs);
  await client.query({ name: 'skip', text: `select setval('public.skipped_ms', $1)`, values: [value] });
  hold(client, false);
}

async function connect(follower: Follower): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: follower.url, application_name: 'skipped time' });
  // A test may drop its database, or stop its server.
  client.on('error', () => {
    delete follower.client;
  });
  await client.connect();
  return client;
}

/** `isHeld` is true while a statement runs. Only then does the connection keep the process running. */
function hold(client: pg.Client, isHeld: boolean): void {
  const { stream } = (client as unknown as { connection: { stream: { ref(): void; unref(): void } } }).connection;
  if (isHeld) stream.ref();
  else stream.unref();
}
