/** The wire carrier as the far side of a chaos run. */
import { CARRIER_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { createCipher } from '../../src/lib/crypto/cipher.ts';
import { secretsOf } from '../../src/server/settings/config.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { sql } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { connectWire } from '../wire/adapter.ts';
import type { FaultRule } from '../wire/faults.ts';
import { startWire } from '../wire/start-wire.ts';
import type { FarSide } from './far-side.ts';
import { scriptOf } from './voice-crash-client.ts';

/** Reports that the product heals if they are lost. A carrier repeats others until they are taken. */
const HEALED = [
  'message.receipt',
  'leg.ringing',
  'leg.answered',
  'leg.ended',
  'legs.bridged',
  'speech.ended',
  'recording.ended',
];

const RULES: readonly FaultRule[] = [
  ...(['timeout_after_acceptance', '500', '429', 'lose', 'delay'] as const).map(
    (is) => ({ operation: '*', is, share: 0.02 }) as const,
  ),
  ...HEALED.map((event) => ({ event, is: 'lose', share: 0.025 }) as const),
  ...(['duplicate', 'disorder', 'delay'] as const).map((is) => ({ event: '*', is, share: 0.025 }) as const),
];

const OPERATIONS = { text: 'messaging.send', command: 'voice.dispatch' } as const;

/** Starts the wire carrier. */
export async function startWireFarSide(): Promise<FarSide> {
  const { people, key, secret, url, close } = await startWire();
  return {
    neverAnswers: MAGIC.neverAnswers,
    connect: async ({ db }, publicUrl) => {
      const made = {
        kind: 'wire',
        name: 'wire',
        settings: { url, public_url: publicUrl, request_ms: '4000' },
        credentials: { key, secret },
        capabilities: CARRIER_CAPABILITIES,
      };
      const id = await addConnection({ db, cipher: createCipher(secretsOf(TEST_SECRET)) }, made);
      await connectWire({ ...made, id }).setup();
      // The number of the person who never answers has this prefix.
      await sql(db, `insert into allowed_prefixes values ('1500555')`);
    },
    misbehave: async (seed) => {
      await people.faults({ rules: RULES, seed });
    },
    struck: () => people.struck({}),
    ambush: ({ request, isCarriedOut }, withinMs) => {
      const is = isCarriedOut ? 'timeout_after_acceptance' : 'lose';
      return people.ambush({ rule: { operation: OPERATIONS[request], is }, withinMs });
    },
    textIn: async (text) => {
      await people.textIn(text);
    },
    callIn: async (arrival) => (await people.callIn({ ...arrival, ...scriptOf(arrival) })).callRef,
    hangUp: async (id) => {
      await people.play({ callRef: id, control: { do: 'hang_up', party: 'customer' } });
    },
    drained: async () => {
      await people.drained({});
    },
    // The wire carrier can be asked about every text.
    decideTexts: () => Promise.resolve('no text was in doubt'),
    seen: async () => {
      const [history, repeated] = await Promise.all([people.history({}), people.repeated({})]);
      return { ...history, repeated };
    },
    close,
  };
}
