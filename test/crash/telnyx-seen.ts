/** The commands that the emulated Telnyx received, by our own ids. */
import type { Database } from '../../src/db/database.ts';
import { sql } from '../support/jobs.ts';
import type { Telnyx } from '../telnyx/start-telnyx.ts';
import type { FarLeg, Seen } from './far-side.ts';

type Sent = { readonly webhook_url: string; readonly to: string; readonly text: string };
/** The call and the party of a leg, by the product's names. */
type Known = {
  readonly legRef: string;
  readonly callRef: string;
  readonly party: FarLeg['party'];
  readonly id: string;
};
type Recording = { readonly id: string; readonly call_control_id: string; readonly duration_millis: number };

const KNOWN = `select leg_ref as "legRef", call_ref as "callRef", coalesce(party, 'agent') as party,
  call_control_id as id from telnyx_legs`;
const PAGE = 250;

/** Returns the accepted texts. One that was accepted twice is listed twice. */
export async function readTexts({ control }: Pick<Telnyx, 'control'>): Promise<Seen['texts']> {
  const requests = await control.requests({ operation: 'POST /messages' });
  return requests.map(({ body }) => {
    const { webhook_url, to, text } = body as Sent;
    return { ref: webhook_url.slice(webhook_url.lastIndexOf('/') + 1), to, body: text };
  });
}

export async function readSeen(db: Database, telnyx: Telnyx): Promise<Seen> {
  const [texts, lines, known, recordings] = await Promise.all([
    readTexts(telnyx),
    telnyx.control.calls({}),
    sql<Known>(db, KNOWN),
    readRecordings(telnyx),
  ]);
  const byRef = new Map(known.map((leg) => [leg.legRef, leg]));
  const byId = new Map(known.map((leg) => [leg.id, leg]));
  // A dialled leg repeats our id of it. An inbound leg has the product's id from its first command on.
  const legs = lines.map(({ call_control_id, client_state, state, answered_at, end_time }) => {
    const label = client_state === null ? {} : JSON.parse(Buffer.from(client_state, 'base64').toString());
    const own = byRef.get(label.l) ?? byId.get(call_control_id);
    const { legRef = label.l ?? call_control_id, callRef = '', party = 'agent' as const } = own ?? {};
    const times = { answeredAtMs: momentOf(answered_at), endedAtMs: momentOf(end_time) };
    return { id: call_control_id, legRef, callRef, party, state, ...times };
  });
  const callOf = new Map(legs.map(({ id, callRef }) => [id, callRef]));
  return {
    texts,
    legs,
    recordings: recordings.map(({ id, call_control_id, duration_millis: durationMs }) => {
      return { callRef: callOf.get(call_control_id) ?? '', recordingRef: id, durationMs };
    }),
    repeated: [
      ...repeatedIn(texts.map(({ ref }) => ref)).map((ref) => `messaging.send ${ref}`),
      ...repeatedIn(legs.map(({ legRef }) => legRef)).map((ref) => `voice.dial ${ref}`),
    ],
  };
}

/** Returns all recordings of the account. Telnyx lists a recording once it has ended. */
async function readRecordings({ url, apiKey }: Telnyx): Promise<Recording[]> {
  const found: Recording[] = [];
  for (let page = 1; found.length === (page - 1) * PAGE; page++) {
    const address = `${url}/recordings?page[number]=${page}&page[size]=${PAGE}`;
    const reply = await fetch(address, { headers: { authorization: `Bearer ${apiKey}` } });
    found.push(...((await reply.json()) as { data: Recording[] }).data);
  }
  return found;
}

function momentOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}

function repeatedIn(refs: readonly string[]): string[] {
  return [...Map.groupBy(refs, (ref) => ref)].flatMap(([ref, all]) => (all.length > 1 ? [ref] : []));
}
