/**
 * PostgreSQL's clock in the databases of tests. They have functions named like those of PostgreSQL that read its clock,
 * which add what the test has skipped; `search_path` lists them first. So all SQL of the product follows the time of
 * the test, unchanged.
 */
import pg from 'pg';

/** Makes the clock of the template; run before the migrations, whose defaults then use it. */
export const DATABASE_TIME = `
  create table skipped_time (by interval not null);
  insert into skipped_time values ('0');
  ${['statement_timestamp', 'clock_timestamp', 'transaction_timestamp', 'now']
    .map(
      (name) => `create function ${name}() returns timestamptz language sql stable parallel safe
      as 'select pg_catalog.${name}() + (select by from public.skipped_time)';`,
    )
    .join('\n')}`;

/** The setting of the server that gives the functions of a database precedence over those of PostgreSQL. */
export const DATABASE_TIME_SETTING = { search_path: 'public, pg_catalog' };

type Follower = { readonly url: string; client?: pg.Client; skip?: Promise<void> };

const followers = new Map<string, Follower>();

/** How far the clocks of the databases, and the wall time of this process, are ahead of the machine's. */
let skippedMs = 0;

export const wallSkippedMs = (): number => skippedMs;

/** Lets the clock of a new database follow the skips of this process. The first database begins at the real time. */
export async function followSkips(url: string): Promise<void> {
  if (followers.size === 0) skippedMs = 0;
  const follower = { url };
  followers.set(url, follower);
  if (skippedMs > 0) await skipDatabase(follower);
}

export async function unfollowSkips(url: string): Promise<void> {
  const follower = followers.get(url);
  followers.delete(url);
  await follower?.skip;
  const client = follower?.client;
  if (client === undefined) return;
  hold(client, true);
  await client.end();
}

/** Moves the clocks of the databases, and the wall time of this process, forward. */
export async function skipWall(byMs: number): Promise<void> {
  skippedMs += byMs;
  const skips = [...followers.values()].map((follower) => {
    follower.skip = skipDatabase(follower);
    return follower.skip;
  });
  await Promise.all(skips);
}

async function skipDatabase(follower: Follower): Promise<void> {
  const client = follower.client ?? (await connect(follower.url));
  follower.client = client;
  hold(client, true);
  await client.query({
    name: 'skip',
    text: 'update public.skipped_time set by = make_interval(secs => $1::float8 / 1000)',
    values: [skippedMs],
  });
  hold(client, false);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'skipped time' });
  // A test may drop its database, or stop its server.
  client.on('error', () => followers.delete(url));
  await client.connect();
  return client;
}

/** Sets whether the connection keeps the process running: only while a statement runs. */
function hold(client: pg.Client, isHeld: boolean): void {
  const { stream } = (client as unknown as { connection: { stream: { ref(): void; unref(): void } } }).connection;
  if (isHeld) stream.ref();
  else stream.unref();
}
