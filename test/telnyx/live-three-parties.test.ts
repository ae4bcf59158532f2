/** Consult transfers and listeners on calls of a live key over the emulated Telnyx. */
import assert from 'node:assert/strict';
import { TELNYX_KIND } from '../../src/carriers/telnyx/index.ts';
import { useApartGateways } from '../support/apart-gateways.ts';
import { time } from '../support/emulator-time.ts';
import { newPerson } from '../support/messages.ts';
import { describeThreeParties } from '../support/three-parties.ts';
import { voiceHz } from './audio/voices.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const gateways = await useApartGateways(TELNYX_KIND);
const { telnyx, harness, key, tenantId, number, get, make, untilHas } = await useTelnyxLine(
  {},
  { serveMedia: false, settings: { mediaUrl: `ws://127.0.0.1:${gateways.port}` } },
);
const { control } = telnyx;

await gateways.start(harness.databaseUrl);

/** Tones of people. They differ clearly from each other and from the notes of the hold audio. */
const PEOPLE_HZ = [440, 500, 640] as const;

/** Returns a person with this voice. */
function personWith(frequencyHz: number): string {
  for (let tries = 0; tries < 100; tries++) {
    const person = newPerson();
    if (voiceHz(person) === frequencyHz) return person;
  }
  return assert.fail(`nobody has a voice of ${frequencyHz} Hz`);
}

describeThreeParties('telnyx', {
  ...{ harness, key, tenantId, get, make, untilHas },
  route: async (open_behavior) => {
    const routing = await make('/routing_configs', { tenant_id: tenantId, name: 'Front desk', open_behavior });
    const patch = { key, body: { routing_config_id: routing.id } };
    assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, patch)).status, 200);
  },
  newTelephone: async (index) => {
    const frequencyHz = PEOPLE_HZ[index] as number;
    const address = personWith(frequencyHz);
    await control.person({ phoneNumber: address, hangsUpAfterMs: null, saysMs: 600_000 });
    const hears = async (hz: number) => {
      const leg = (await control.calls({})).findLast(({ person }) => person === address);
      if (leg === undefined || !['answered', 'ended'].includes(leg.state)) return false;
      const { peaksHz } = await control.heard({ phoneNumber: address, lastMs: 500 });
      return peaksHz.some((peak) => Math.abs(peak - hz) <= 10);
    };
    return { address, frequencyHz, hears };
  },
  callIn: async (from) => {
    await control.callIn({ from, to: number.phone_number });
  },
  pass: () => time.sleep(600),
  moveAudio: gateways.move,
});
