/**
 * The call control application of a connection, and the outbound voice profile for its calls. Both are found by their
 * name, which contains the id of the connection.
 */
import { listAt, textAt } from '../../../lib/json-object.ts';
import { PROGRAM } from '../../../lib/program.ts';
import type { ConnectionFinding } from '../../adapter.ts';
import { filterLiveNumbers } from '../../connections/owner-queries.ts';
import type { Answer } from '../client/client.ts';
import type { TelnyxLine } from '../client/line.ts';

/** The countries that a new profile may call. The operator may change the list at Telnyx. */
const DESTINATIONS = ['US', 'CA'];
/** Telnyx sends a report again if it gets no answer within this time. */
const REPORT_S = 5;

type Line = Pick<TelnyxLine, 'client' | 'connectionId'>;

const nameOf = ({ connectionId }: Line) => `dialplane ${connectionId}`;

/**
 * A search for an object of the account. It returns id and attributes, undefined if the object does not exist, or why
 * Telnyx could not be asked.
 */
type Thing = { readonly id: string; readonly data: unknown } | undefined | { readonly problem: Answer };

type Kind = { readonly path: string; readonly filter: string; readonly field: string };

const APPLICATION: Kind = {
  path: '/call_control_applications',
  filter: 'filter[application_name][contains]',
  field: 'application_name',
};
const PROFILE: Kind = { path: '/outbound_voice_profiles', filter: 'filter[name][contains]', field: 'name' };

async function find(line: Line, { path, filter, field }: Kind): Promise<Thing> {
  const name = nameOf(line);
  const answer = await line.client.ask({ method: 'GET', path, query: [[filter, name]] });
  if (answer.is !== 'answered') return { problem: answer };
  const data = listAt(answer.body, 'data').find((entry) => textAt(entry, field) === name);
  const id = textAt(data, 'id');
  return id === undefined ? undefined : { id, data };
}

/** Returns a function that finds the id of the application. The id is cached for the life of the process. */
export function createApplicationFinder(line: Line): () => Promise<string | undefined> {
  let known: string | undefined;
  return async () => {
    if (known !== undefined) return known;
    const found = await find(line, APPLICATION);
    if (found !== undefined && 'id' in found) known = found.id;
    return known;
  };
}

/**
 * Makes the application and its profile, or corrects their settings. Returns a sentence for each change. Throws if it
 * fails.
 */
export async function setUpApplication(line: TelnyxLine): Promise<string[]> {
  const [profile, ofProfile] = await ensure(line, PROFILE, {
    name: nameOf(line),
    whitelisted_destinations: DESTINATIONS,
  });
  const wanted = {
    application_name: nameOf(line),
    webhook_event_url: line.reportUrl,
    webhook_event_failover_url: line.failoverUrl,
    // Telnyx's default is an old version.
    webhook_api_version: '2',
    webhook_timeout_secs: REPORT_S,
    outbound: { outbound_voice_profile_id: profile },
  };
  const [application, ofApplication] = await ensure(line, APPLICATION, wanted);
  const connected = await connectNumbers(line, application);
  return [ofProfile, ofApplication, `${connected} more numbers ring here.`];
}

/** The size of a page, and the most pages that are read. */
const PAGE = 250;
const PAGES_MAX = 400;

/**
 * Connects the numbers of this connection without an application, so that their calls arrive here. Returns their
 * number.
 */
async function connectNumbers({ client, db, connectionId }: TelnyxLine, application: string): Promise<number> {
  let connected = 0;
  for (let page = 1; page <= PAGES_MAX; page++) {
    const query = [
      ['page[number]', String(page)],
      ['page[size]', String(PAGE)],
    ] as const;
    const listed = await client.ask({ method: 'GET', path: '/phone_numbers', query });
    if (listed.is !== 'answered') throw new Error(`the numbers of the account could not be listed: ${listed.is}`);
    const entries = listAt(listed.body, 'data');
    const unconnected = entries.filter((entry) => (textAt(entry, 'connection_id') ?? '') === '');
    const numbers = await filterLiveNumbers(
      db,
      connectionId,
      unconnected.flatMap((entry) => textAt(entry, 'phone_number') ?? []),
    );
    for (const entry of unconnected) {
      if (!numbers.has(textAt(entry, 'phone_number') ?? '')) continue;
      const params = { id: textAt(entry, 'id') ?? '' };
      const body = { connection_id: application };
      const answer = await client.ask({ method: 'PATCH', path: '/phone_numbers/{id}', params, body });
      if (answer.is === 'answered') connected++;
    }
    if (entries.length < PAGE) break;
  }
  return connected;
}

const WORDS: ReadonlyMap<Kind, string> = new Map([
  [APPLICATION, 'The call control application'],
  [PROFILE, 'The outbound voice profile'],
]);

/** Makes the missing object, or updates an existing application. Returns the object's id and the changes. */
async function ensure(line: TelnyxLine, kind: Kind, body: object): Promise<readonly [id: string, did: string]> {
  const { path } = kind;
  const what = `${WORDS.get(kind)} "${nameOf(line)}"`;
  const found = await find(line, kind);
  if (found !== undefined && 'problem' in found)
    throw new Error(`${what} could not be looked for: ${found.problem.is}`);
  if (found !== undefined && kind === PROFILE) return [found.id, `${what} is there.`];
  const answer =
    found === undefined
      ? await line.client.ask({ method: 'POST', path, body })
      : await line.client.ask({ method: 'PATCH', path: `${path}/{id}`, params: { id: found.id }, body });
  const id = answer.is === 'answered' ? textAt(answer.body, 'data', 'id') : undefined;
  if (id === undefined) throw new Error(`${what} could not be made: ${reasonFor(answer)}`);
  return [id, found === undefined ? `${what} was made.` : `${what} is there, and reports to ${line.reportUrl}.`];
}

function reasonFor(answer: Answer): string {
  return answer.is === 'refused'
    ? answer.errors.map(({ code, detail }) => `${detail} (${code})`).join('; ')
    : answer.is;
}

/** Returns whether calls can be made and received. */
export async function checkApplication(line: TelnyxLine, connectionName: string): Promise<ConnectionFinding> {
  const check = 'calls';
  const found = await find(line, APPLICATION);
  if (found !== undefined && 'problem' in found) {
    return { check, state: 'bad', found: 'no answer', advice: 'Try again.' };
  }
  const advice = `Run "${PROGRAM} carriers setup ${connectionName}".`;
  if (found === undefined) return { check, state: 'note', found: 'no call control application: no calls', advice };
  const wanted = { webhook_event_url: line.reportUrl, webhook_event_failover_url: line.failoverUrl };
  const isRight = Object.entries({ ...wanted, webhook_api_version: '2' }).every(
    ([field, value]) => textAt(found.data, field) === value,
  );
  if (!isRight) return { check, state: 'bad', found: 'the call control application reports elsewhere', advice };
  return { check, state: 'good', found: `call control application ${found.id}` };
}
