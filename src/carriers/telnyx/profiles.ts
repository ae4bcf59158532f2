/**
 * Messaging profiles. A tenant has one of its own, because Telnyx blocks a person who has sent STOP for a whole
 * profile. It is made with the first number of the tenant, and found again by its name, which is the tenant's id.
 */
import { listAt, textAt } from '../../lib/json-object.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { Answer } from './client.ts';
import type { TelnyxLine } from './line.ts';
import { findProfile, keepProfile } from './profile-queries.ts';

const DESTINATIONS = ['US', 'CA'];

/** The profile, or why there is none. */
type Profile = { readonly profileId: string } | { readonly problem: Exclude<Answer, { is: 'answered' }> };

/** Returns the profile of a tenant, and makes it if there is none. */
export async function ensureProfile(line: TelnyxLine, { ledgerId }: Ledger, tenantId: string): Promise<Profile> {
  const { db, connectionId } = line;
  const name = { ledgerId, connectionId, tenantId };
  const known = await findProfile(db, name);
  if (known !== undefined) return { profileId: known };
  const found = (await findByName(line, tenantId)) ?? (await makeProfile(line, tenantId));
  return 'problem' in found ? found : { profileId: await keepProfile(db, name, found.profileId) };
}

async function findByName({ client }: TelnyxLine, tenantId: string): Promise<Profile | undefined> {
  const answer = await client.ask({ method: 'GET', path: '/messaging_profiles', query: [['filter[name]', tenantId]] });
  if (answer.is !== 'answered') return { problem: answer };
  const own = listAt(answer.body, 'data').find((profile) => textAt(profile, 'name') === tenantId);
  const profileId = textAt(own, 'id');
  return profileId === undefined ? undefined : { profileId };
}

async function makeProfile({ client, reportUrl }: TelnyxLine, tenantId: string): Promise<Profile> {
  const body = {
    name: tenantId,
    whitelisted_destinations: DESTINATIONS,
    webhook_url: reportUrl,
    webhook_api_version: '2',
  };
  const answer = await client.ask({ method: 'POST', path: '/messaging_profiles', body });
  if (answer.is !== 'answered') return { problem: answer };
  const profileId = textAt(answer.body, 'data', 'id');
  return profileId === undefined ? { problem: { is: 'unclear' } } : { profileId };
}
