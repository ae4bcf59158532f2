/** Consult transfers and listeners on calls over a real engine. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SIP_KIND } from '../../src/carriers/sip/index.ts';
import { useBalancer } from '../support/balancer.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { newPerson } from '../support/messages.ts';
import { freePort } from '../support/ports.ts';
import { describeThreeParties } from '../support/three-parties.ts';
import { useSipLine } from './sip-line.ts';

const mediaPort = await freePort();
const balancer = await useBalancer(mediaPort);
const line = await useSipLine({ mediaPort });
const { harness, engine, people, key, tenantId, number, get, make, untilHas, route } = line;

/** Starts a gateway apart from the API and the workers, to which new connections of audio go. */
async function openGateway(): Promise<Harness> {
  const { databaseUrl } = harness;
  const gateway = await startHarness({ databaseUrl, startWorkers: false, adapterKinds: [SIP_KIND] });
  balancer.leadTo(gateway.url);
  return gateway;
}

let gateway = await openGateway();
closeAfterTests(() => gateway.close());

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
  moveAudio: async () => {
    const drained = gateway;
    gateway = await openGateway();
    await drained.leave(0);
    await drained.close();
  },
});
