/** The emulated Telnyx as the far side of a chaos run. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { CARRIER_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import { TELNYX_KIND } from '../../src/carriers/telnyx/index.ts';
import type { Database } from '../../src/db/database.ts';
import { createCipher } from '../../src/lib/crypto/cipher.ts';
import { secretsOf } from '../../src/server/settings/config.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { silentLog, sql } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import type { Rule } from '../telnyx/faults.ts';
import { startTelnyx, type Telnyx } from '../telnyx/start-telnyx.ts';
import type { FarSide } from './far-side.ts';
import { decideSends } from './telnyx-reconcile.ts';
import { readSeen } from './telnyx-seen.ts';
import { TARGETS } from './voice-crash.ts';
import { type Arrival, PERSONS } from './voice-crash-client.ts';

/**
 * Reports whose loss the product repairs. Telnyx repeats other reports until the product has accepted them. Of the two
 * reports of a text only the last one is lost. If the answer and both reports of a text were lost, nothing could find
 * the text.
 */
const HEALED = [
  'message.finalized',
  'call.answered',
  'call.hangup',
  'call.bridged',
  'call.playback.ended',
  'call.recording.saved',
];

const REQUEST_FAULTS = [
  ...(['500', '429', 'timeout_after_acceptance', 'timeout_before_acceptance'] as const),
  ...(['malformed', 'delay'] as const),
];

const RULES: readonly Rule[] = [
  ...REQUEST_FAULTS.map((is) => ({ request: '*', is, share: 0.1 / REQUEST_FAULTS.length }) as const),
  ...HEALED.map((webhook) => ({ webhook, is: 'lost', share: 0.02 }) as const),
  ...(['duplicate', 'disorder', 'late', 'malformed'] as const).map(
    (is) => ({ webhook: '*', is, share: 0.02 }) as const,
  ),
];

const REQUESTS = { text: 'POST /messages', command: 'POST /calls*' } as const;

/** The product is away for seconds: with fewer attempts an arrival would be lost, as at Telnyx after an hour. */
const ATTEMPTS_MAX = 150;
/** On a machine with other work a restart takes half a minute, and the next kill follows soon after it. */
const ARRIVES_WITHIN_MS = 600_000;
const LOOK_MS = 500;
/** Impatient callers hang up after this time, before anybody answers. */
const GIVES_UP_MS = 2_000;
const ANSWERS_MS = 3_000;

/** Starts the emulator. A person hangs up `talkMs` after the call was answered. */
export async function startTelnyxFarSide({ talkMs = 15_000 } = {}): Promise<FarSide> {
  const telnyx = await startTelnyx({ attemptsMax: ATTEMPTS_MAX });
  const { control, close } = telnyx;
  let site: { readonly db: Database } | undefined;
  let struck: number | undefined;
  const drained = async () => {
    await control.callsQuiet({});
    await control.settled({});
  };
  return {
    neverAnswers: '+16025542003',
    connect: async ({ db }, publicUrl) => {
      site = { db };
      await connect(telnyx, db, publicUrl);
      for (const phoneNumber of PERSONS) await control.person({ phoneNumber, hangsUpAfterMs: talkMs });
      for (const phoneNumber of TARGETS) await control.person({ phoneNumber, answersAfterMs: ANSWERS_MS });
    },
    misbehave: async (seed) => {
      await control.faults({ rules: RULES, seed });
    },
    struck: async () => struck ?? (await control.struck({})),
    ambush: ({ request, isCarriedOut }, withinMs) => {
      const is = isCarriedOut ? 'timeout_after_acceptance' : 'timeout_before_acceptance';
      return control.ambush({ rule: { request: REQUESTS[request], is }, withinMs });
    },
    textIn: async ({ from, to, body }) => {
      await control.textIn({ from, to, text: body });
    },
    callIn: async (arrival) => {
      const { from, to } = await callerOf(telnyx, arrival);
      const id = await control.callIn({ from, to });
      return await findCall((site ?? assert.fail('it is not connected')).db, id);
    },
    drained,
    decideTexts: (db, withinMs) => decideSends({ db, control, drained }, withinMs),
    seen: async () => {
      // From here on the requests of the run itself must meet no fault.
      struck = await control.struck({});
      await control.faults({ rules: [] });
      return await readSeen((site ?? assert.fail('it is not connected')).db, telnyx);
    },
    close,
  };
}

/** Adds the connection, and makes the application that takes calls. */
async function connect({ url, apiKey, publicKey }: Telnyx, db: Database, publicUrl: string): Promise<void> {
  const made = {
    kind: 'telnyx',
    name: 'telnyx',
    settings: { public_url: publicUrl, api_url: url, business_name: 'Desert Paws Clinic', transcription: 'telnyx' },
    credentials: { key: apiKey, public_key: publicKey },
  };
  const context = { db, cipher: createCipher(secretsOf(TEST_SECRET)) };
  const id = await addConnection(context, { ...made, capabilities: CARRIER_CAPABILITIES });
  const adapter = TELNYX_KIND.make({ db, log: silentLog } as never);
  const connected = adapter.connect({ id, ...made });
  await connected.setup();
  await connected.close?.();
}

/** Returns the callers. A caller who gives up has a different number, since the number decides the behaviour. */
async function callerOf({ control }: Telnyx, { from, to, givesUp }: Arrival): Promise<Omit<Arrival, 'givesUp'>> {
  if (!givesUp) return { from, to };
  const phoneNumber = from.replace('+1602', '+1480');
  await control.person({ phoneNumber, waitsMs: GIVES_UP_MS });
  return { from: phoneNumber, to };
}

/** Waits until the product has taken the arrival of a call. Returns the id that the call has there. */
async function findCall(db: Database, callControlId: string): Promise<string> {
  const deadline = performance.now() + ARRIVES_WITHIN_MS;
  const text = 'select call_ref as id from telnyx_legs where call_control_id = $1';
  while (performance.now() < deadline) {
    const [found] = await sql<{ id: string }>(db, text, [callControlId]);
    if (found !== undefined) return found.id;
    await pause(LOOK_MS);
  }
  return assert.fail(`the call ${callControlId} has not arrived within ${ARRIVES_WITHIN_MS} ms`);
}
