/** The additional checks of `doctor --live`: what an installation needs before customers use live keys. */
import { type ConnectionRow, listConnections, listDefaults } from '../../carriers/connections/queries.ts';
import { listNotices } from '../../carriers/inbox/queries.ts';
import { CARRIER_CAPABILITIES } from '../../carriers/ports/carrier.ts';
import type { Database } from '../../db/database.ts';
import { examplePath, PUBLIC_PATHS } from '../../http/edge/public-paths.ts';
import { withoutSlash } from '../../lib/http/without-slash.ts';
import { PROGRAM } from '../../lib/program.ts';
import { timeoutSignal } from '../../lib/time/time.ts';
import type { Config } from '../../server/settings/config.ts';
import type { Finding } from './doctor-checks.ts';
import {
  type Archive,
  findArchive,
  findUntexted,
  type Listener,
  listUnannounced,
  type Tenants,
} from './live-queries.ts';

const ANSWER_MS = 15_000;
/** An archive that got nothing for this many hours has probably stopped. Even an idle server writes a little. */
const ARCHIVE_HOURS_MAX = 24;

/** Checks the settings. */
export async function checkLiveSettings(config: Config): Promise<Finding[]> {
  const { secret, blobs, databaseUrl } = config;
  return [
    await checkPublicUrl(config),
    checkProxies(config),
    secret === null
      ? note('live secret', 'only in the data folder', 'Set DIALPLANE_SECRET, and keep a copy away from this machine.')
      : good('live secret', 'from DIALPLANE_SECRET'),
    blobs.kind === 'folder'
      ? note(
          'live files',
          `in ${blobs.folder}`,
          'Back the folder up, or use a bucket (S3_BUCKET): one process alone sees it.',
        )
      : good('live files', 'in a bucket'),
    ...(databaseUrl === null
      ? [note('backups', 'none: the embedded database', 'Use a PostgreSQL of your own with backups (DATABASE_URL).')]
      : []),
  ];
}

/** Checks that this installation is reachable at its public address. Carriers and customers use that address. */
export async function checkPublicUrl({ publicUrl }: Pick<Config, 'publicUrl'>): Promise<Finding> {
  const check = 'public address';
  if (!publicUrl.startsWith('https://')) {
    const advice = 'Set PUBLIC_URL to an https address that leads here: keys, texts and reports pass through it.';
    return { check, state: 'bad', found: `${publicUrl} is not https`, advice };
  }
  return await checkPublicPaths(publicUrl);
}

/**
 * Checks that every public path leads to this product. A reply without a request id comes from a proxy that refuses the
 * path.
 */
export async function checkPublicPaths(publicUrl: string): Promise<Finding> {
  const check = 'public address';
  const advice = 'Start the program, and let the proxy of this address lead to it: docs/deploying.md lists the paths.';
  const ask = async (path: string) => {
    const options = { signal: timeoutSignal(ANSWER_MS), redirect: 'manual' } as const;
    const reply = await fetch(publicUrl + examplePath(path), options);
    await reply.body?.cancel();
    return reply.headers.get('request-id')?.startsWith('req_') ? [] : [path];
  };
  try {
    const refused = (await Promise.all(PUBLIC_PATHS.map(ask))).flat();
    if (refused.length === 0) return good(check, `${publicUrl} leads here`);
    return { check, state: 'bad', found: `${publicUrl} does not lead to ${refused.join(', ')}`, advice };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return { check, state: 'bad', found: `${publicUrl} cannot be reached (${cause?.code ?? 'no answer'})`, advice };
  }
}

function checkProxies({ trustedProxies }: Config): Finding {
  const check = 'proxies';
  if (trustedProxies > 0) return good(check, `${trustedProxies} in front`);
  const advice = 'Behind a proxy set DIALPLANE_TRUSTED_PROXIES, or all clients share the limits of its address.';
  return note(check, 'none in front', advice);
}

/** Checks the database: backups, connections for new resources, reports of carriers, tenants. */
export async function checkLiveDatabase(
  db: Database,
  { databaseUrl, publicUrl }: Pick<Config, 'databaseUrl' | 'publicUrl'>,
): Promise<Finding[]> {
  const backups = databaseUrl === null ? [] : [describeArchive(await findArchive(db))];
  const used = (await listConnections(db)).filter(({ status }) => status !== 'disabled');
  const addresses = used.flatMap((connection) => compareAddresses(connection, publicUrl));
  const reports = await checkReports(db, used);
  const tenants = [...(await checkAnnouncements(db)), await checkEmergencyContacts(db)];
  return [...backups, ...(await checkDefaults(db)), ...addresses, ...reports, ...tenants];
}

/** @param archive the server's own archive; another kind of backup is not visible in it */
export function describeArchive({ is_on, age_hours }: Archive): Finding {
  const check = 'backups';
  const advice = 'Set up backups with an archive of the log, and restore one to see that it works.';
  if (!is_on) return note(check, 'the server archives no log', advice);
  if (age_hours === null) return note(check, 'the server has archived nothing yet', advice);
  const found = `the log was archived ${Math.round(age_hours)} hours ago`;
  return age_hours <= ARCHIVE_HOURS_MAX ? good(check, found) : note(check, found, advice);
}

async function checkDefaults(db: Database): Promise<Finding[]> {
  const chosen = new Set((await listDefaults(db)).map(({ capability }) => capability));
  const missing = CARRIER_CAPABILITIES.filter((capability) => !chosen.has(capability));
  const check = 'live carriers';
  if (missing.length === 0) return [good(check, 'for everything')];
  const advice = `Requests for them are refused with carrier_unavailable. To choose a connection, run "${PROGRAM} carriers use CAPABILITY NAME".`;
  return [note(check, `none for ${missing.join(', ')}`, advice)];
}

/**
 * Compares the two public addresses. The carrier of a connection reports to `public_url`, and customers use
 * `PUBLIC_URL`. They may differ, but an operator often changes one and forgets the other.
 */
function compareAddresses({ name, settings }: ConnectionRow, publicUrl: string): Finding[] {
  const reportsTo = settings['public_url'];
  if (reportsTo === undefined) return [];
  const check = `${name}: public_url`;
  if (withoutSlash(reportsTo) === withoutSlash(publicUrl)) return [good(check, 'as PUBLIC_URL')];
  const change = `"${PROGRAM} carriers change ${name} --set public_url=${publicUrl}"`;
  const advice = `If both addresses lead here, change nothing. Otherwise run ${change}, and then "${PROGRAM} carriers setup ${name}".`;
  return [note(check, `the carrier reports to ${reportsTo}, PUBLIC_URL is ${publicUrl}`, advice)];
}

/**
 * Checks that each connection has received a report. A received report shows that the signature is configured
 * correctly.
 */
async function checkReports(db: Database, used: readonly ConnectionRow[]): Promise<Finding[]> {
  return await Promise.all(
    used.map(async ({ id, name }) => {
      const [latest] = await listNotices(db, id, 1);
      const check = `${name}: reports`;
      if (latest !== undefined)
        return good(check, `signed and taken, the last one at ${latest.received_at.toISOString()}`);
      const advice =
        'Text one of its numbers. If nothing comes, look at public_url, and at the log for wrong signatures.';
      return note(check, 'none in 7 days', advice);
    }),
  );
}

/** What tenants do with audio without an announcement, and the next step. */
const UNANNOUNCED: Readonly<Record<Listener, { readonly found: string; readonly advice: string }>> = {
  records: {
    found: 'record calls without an announcement',
    advice: 'Set recording.consent_announcement of their routing configs to true.',
  },
  transcribes: {
    found: 'transcribe calls without an announcement',
    advice: 'Give their routing configs, or POST /v1/calls, a listening_announcement.',
  },
  speaks: {
    found: 'let software speak without an announcement',
    advice: 'Give the routing configs that ring the application, or POST /v1/calls, a listening_announcement.',
  },
};

async function checkAnnouncements(db: Database): Promise<Finding[]> {
  const check = 'announcements';
  const found = await listUnannounced(db);
  if (found.length === 0)
    return [good(check, 'every live tenant that records, transcribes or lets software speak announces it')];
  return found.map(({ listener, ...tenants }) => {
    const { found, advice } = UNANNOUNCED[listener];
    return note(`${check}: ${listener}`, `${tenants.tenants} live tenants ${found}: ${namesOf(tenants)}`, advice);
  });
}

async function checkEmergencyContacts(db: Database): Promise<Finding> {
  const check = 'emergency contacts';
  const found = await findUntexted(db);
  if (found === undefined)
    return good(check, 'each live tenant with emergency contacts has a number that can text them');
  const problem = `${found.tenants} live tenants have emergency contacts and no number that can text them: ${namesOf(found)}`;
  return note(
    check,
    problem,
    'Give each a number with the capability sms. Until then their contacts get no text about 911.',
  );
}

function namesOf({ tenants, named }: Tenants): string {
  const names = named.map(({ id, name }) => `${name} (${id})`).join(', ');
  return tenants > named.length ? `${names} and ${tenants - named.length} more` : names;
}

function good(check: string, found: string): Finding {
  return { check, state: 'good', found };
}

function note(check: string, found: string, advice: string): Finding {
  return { check, state: 'note', found, advice };
}
