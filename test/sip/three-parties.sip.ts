/** Consult transfers and listeners on calls over a real engine. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SIP_KIND } from '../../src/carriers/sip/index.ts';
import { useApartGateways } from '../support/apart-gateways.ts';
import { newPerson } from '../support/messages.ts';
import { describeThreeParties } from '../support/three-parties.ts';
import { useSipLine } from './sip-line.ts';

const gateways = await useApartGateways(SIP_KIND);
const { harness, engine, people, key, tenantId, number, get, make, untilHas, route } = await useSipLine({
  mediaPort: gateways.port,
});

await gateways.start(harness.databaseUrl);

/** Tones of people. They differ clearly from each other and from the notes of the hold audio. */
const PEOPLE_HZ = [500, 700, 900] as const;

describeThreeParties('sip', {
  ...{ harness, key, tenantId, get, make, untilHas, route },
  newTelephone: async (index) => {
    const address = newPerson();
    const frequencyHz = PEOPLE_HZ[index] as number;
    people.set(address, { frequencyHz });
    const hears = (hz: number) => people.listTalkers().includes(address) && people.phoneOf(address).hears(hz);
    return { address, frequencyHz, hears };
  },
  callIn: (from) => people.callIn(from, number.phone_number, engine.sipPort),
  pass: () => sleep(600),
  moveAudio: gateways.move,
});
