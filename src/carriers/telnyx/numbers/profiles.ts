/**
 * Messaging profiles. Each tenant has a separate one, because Telnyx applies a person's STOP to the whole profile. A
 * profile is made with the first number of the tenant. It is found by its name, which contains the ids of the
 * connection and of the tenant. A profile of another connection reports to that connection.
 */
import { listAt, textAt } from '../../../lib/json-object.ts';
import { PROGRAM } from '../../../lib/program.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { ConnectionFinding } from '../../adapter.ts';
import type { Answer } from '../client/client.ts';
import type { TelnyxLine } from '../client/line.ts';
import { findProfile, keepProfile, listProfileTenants } from './profile-queries.ts';

const DESTINATIONS = ['US', 'CA'];
const PATH = '/messaging_profiles';

/** The profile, or why there is none. */
type Profile = { readonly profileId: string } | { readonly problem: Exclude<Answer, { is: 'answered' }> };

type Line = Pick<TelnyxLine, 'client' | 'connectionId' | 'reportUrl' | 'failoverUrl'>;

/** The prefix of a connection's profile names. The id of the tenant follows. */
const markOf = ({ connectionId }: Pick<Line, 'connectionId'>) => `dialplane ${connectionId} `;

/** The settings that each profile must have at Telnyx, so that Telnyx reports texts to this server. */
const reportsTo = ({ reportUrl, failoverUrl }: Line) => ({
  webhook_url: reportUrl,
  webhook_failover_url: failoverUrl,
  webhook_api_version: '2',
});

/** Returns the profile of a tenant, and makes it if there is none. */
export async function ensureProfile(line: TelnyxLine, { ledgerId }: Ledger, tenantId: string): Promise<Profile> {
  const { db, connectionId } = line;
  const name = { ledgerId, connectionId, tenantId };
  const known = await findProfile(db, name);
  if (known !== undefined) return { profileId: known };
  const found = (await findByName(line, tenantId)) ?? (await makeProfile(line, tenantId));
  return 'problem' in found ? found : { profileId: await keepProfile(db, name, found.profileId) };
}

async function findByName(line: Line, tenantId: string): Promise<Profile | undefined> {
  const name = `${markOf(line)}${tenantId}`;
  const answer = await line.client.ask({ method: 'GET', path: PATH, query: [['filter[name]', name]] });
  if (answer.is !== 'answered') return { problem: answer };
  const marked = listAt(answer.body, 'data').find((profile) => textAt(profile, 'name') === name);
  const profileId = textAt(marked, 'id');
  return profileId === undefined ? undefined : { profileId };
}

async function makeProfile(line: Line, tenantId: string): Promise<Profile> {
  const body = { name: `${markOf(line)}${tenantId}`, whitelisted_destinations: DESTINATIONS, ...reportsTo(line) };
  const answer = await line.client.ask({ method: 'POST', path: PATH, body });
  if (answer.is !== 'answered') return { problem: answer };
  const profileId = textAt(answer.body, 'data', 'id');
  return profileId === undefined ? { problem: { is: 'unclear' } } : { profileId };
}

/** The size of a page, and the most pages that are read. */
const PAGE = 250;
const PAGES_MAX = 400;

type OwnProfile = { readonly profileId: string; readonly tenantId: string; readonly isRight: boolean };

/**
 * Returns the profiles of the connection: those that are stored, and those with its mark. Returns a problem if Telnyx
 * gives no list.
 */
async function listOwn(line: TelnyxLine): Promise<readonly OwnProfile[] | { readonly problem: Answer }> {
  const { client, db, connectionId } = line;
  const profiles: OwnProfile[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const query = [
      ['page[number]', String(page)],
      ['page[size]', String(PAGE)],
    ] as const;
    const answer = await client.ask({ method: 'GET', path: PATH, query });
    if (answer.is !== 'answered') return { problem: answer };
    const entries = listAt(answer.body, 'data');
    const ids = entries.flatMap((entry) => textAt(entry, 'id') ?? []);
    const tenants = await listProfileTenants(db, connectionId, ids);
    for (const entry of entries) {
      const [profileId = '', name = ''] = [textAt(entry, 'id'), textAt(entry, 'name')];
      const marked = name.startsWith(markOf(line)) ? name.slice(markOf(line).length) : undefined;
      const tenantId = tenants.get(profileId) ?? marked;
      if (tenantId === undefined) continue;
      const isRight = Object.entries(reportsTo(line)).every(([field, value]) => textAt(entry, field) === value);
      profiles.push({ profileId, tenantId, isRight });
    }
    if (entries.length < PAGE) break;
  }
  return profiles;
}

/**
 * Makes every profile of the connection report to this server. Returns a sentence for each change. Throws if it fails.
 */
export async function setUpProfiles(line: TelnyxLine): Promise<string[]> {
  const profiles = await listOwn(line);
  if ('problem' in profiles) throw new Error(`The messaging profiles could not be listed: ${profiles.problem.is}`);
  const did: string[] = [];
  for (const { profileId, tenantId, isRight } of profiles) {
    const what = `The messaging profile of tenant ${tenantId}`;
    if (isRight) {
      did.push(`${what} is there.`);
      continue;
    }
    const body = { name: `${markOf(line)}${tenantId}`, ...reportsTo(line) };
    const answer = await line.client.ask({ method: 'PATCH', path: `${PATH}/{id}`, params: { id: profileId }, body });
    if (answer.is !== 'answered') throw new Error(`${what} (${profileId}) could not be changed: ${answer.is}`);
    did.push(`${what} reported elsewhere, and reports to ${line.reportUrl} now.`);
  }
  return did;
}

/** The most tenants that a finding names. */
const NAMED_MAX = 5;

/** Returns whether Telnyx reports all texts to this server. */
export async function checkProfiles(line: TelnyxLine, connectionName: string): Promise<ConnectionFinding> {
  const check = 'texts';
  const profiles = await listOwn(line);
  if ('problem' in profiles) return { check, state: 'bad', found: 'no answer', advice: 'Try again.' };
  const wrong = profiles.filter(({ isRight }) => !isRight).map(({ tenantId }) => tenantId);
  if (wrong.length === 0) return { check, state: 'good', found: `${profiles.length} messaging profiles report here` };
  const named = [...wrong.slice(0, NAMED_MAX), ...(wrong.length > NAMED_MAX ? ['others'] : [])].join(', ');
  const found = `${wrong.length} of ${profiles.length} messaging profiles report elsewhere, and their texts are lost: ${named}`;
  return { check, state: 'bad', found, advice: `Run "${PROGRAM} carriers setup ${connectionName}".` };
}
