/** Calls and their audio at an emulated Telnyx, with people who answer, speak, press keys and hang up automatically. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { FRAME_MS } from '../../src/audio/frames.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { time } from '../support/emulator-time.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import type { Person } from '../telnyx/calls/person.ts';
import { startTelnyx } from '../telnyx/start-telnyx.ts';
import { describeAgentConformance, describeAudioConformance } from './audio.ts';
import { describeFrontDeskConformance } from './front-desk.ts';
import { describeMachineConformance } from './machines.ts';
import { describeRecordingControl } from './recording-control.ts';
import { useTelnyxAdapter } from './telnyx-adapter.ts';
import { describeVoiceConformance, type VoiceSubject } from './voice.ts';

const telnyx = await startTelnyx({ roundTripMs: 0, stepMs: 10, retryMs: 10 });
closeAfterTests(() => telnyx.close());
const byTelnyx = await useTelnyxAdapter(telnyx, { machine_detection: 'telnyx' });
const byGateway = await useTelnyxAdapter(telnyx);

const closeNothing = async () => undefined;

/** A stream that takes audio and sends none. */
const listener = new WebSocketServer({ host: '127.0.0.1', port: 0 });
await once(listener, 'listening');
closeAfterTests(async () => {
  for (const socket of listener.clients) socket.terminate();
  listener.close();
});

const TALKING_S = 10;

/** Returns the people who are on a call. */
async function listTalkers(): Promise<string[]> {
  const legs = await telnyx.control.calls({});
  return legs.flatMap(({ state, person }) => (state === 'answered' ? [person] : []));
}

async function openVoice(areaCode: string, callers: Partial<Person>, adapter = byTelnyx): Promise<VoiceSubject> {
  const { carrier, ledger, reported, orderNumber } = adapter;
  const { voice = assert.fail() } = carrier;
  const number = await orderNumber(areaCode);
  const absent = newPerson();
  await telnyx.control.person({ phoneNumber: absent, answers: 'never' });
  const settle: VoiceSubject['settle'] = async (seconds, hasCome = () => true) => {
    // If there is enough time, every person talks.
    if (seconds >= TALKING_S)
      for (const phoneNumber of await listTalkers()) await telnyx.control.say({ phoneNumber, ms: 1_000 });
    const over = new AbortController();
    const { signal } = over;
    const quiet = telnyx.untilQuiet(signal);
    await Promise.race([quiet, time.sleep(seconds * 1_000, { signal })]);
    over.abort();
    await quiet;
    await telnyx.control.settled({});
    // The product reads a carrier's report a moment later.
    await until('what is to come has come', () => hasCome(reported));
    return reported.splice(0);
  };
  return {
    ...{ voice, ledger, number, absent, person: newPerson, settle, close: closeNothing },
    streamUrl: `ws://127.0.0.1:${(listener.address() as AddressInfo).port}/`,
    arrive: async (caller) => {
      await telnyx.control.person({ phoneNumber: caller, ...callers });
      await telnyx.control.callIn({ from: caller, to: number });
      const find = () => reported.find((event) => event.type === 'call.arrived' && event.from === caller);
      await until('it has arrived', () => find() !== undefined);
      const arrived = find();
      if (arrived?.type !== 'call.arrived') return assert.fail();
      reported.splice(reported.indexOf(arrived), 1);
      return { callRef: arrived.callRef, legRef: arrived.legRef };
    },
  };
}

// Callers talk long enough for a slow machine to listen, and stay until the test ends their call.
const PATIENT = { saysMs: 8_000, hangsUpAfterMs: null };

/**
 * Returns the time from the end of a party's words, or of a machine's beep, to the first audio that is played to the
 * party after that.
 */
async function playedAfterMs(phoneNumber: string): Promise<number> {
  const { said, played } = await telnyx.control.spans({ phoneNumber });
  const [last, first] = [
    said.at(-1) ?? assert.fail('nothing was said'),
    played[0] ?? assert.fail('nothing was played'),
  ];
  return FRAME_MS * (first.from - last.until);
}

describeVoiceConformance('telnyx', () => openVoice('928', { saysMs: 1_000, hangsUpAfterMs: 3_000 }));
describeAudioConformance('telnyx', () => openVoice('520', PATIENT));
describeAgentConformance('telnyx', () => openVoice('480', { ...PATIENT, saysMs: 60_000 }));
// On a busy machine a stream begins late. The caller must still be speaking then.
describeFrontDeskConformance('telnyx', () => openVoice('623', { ...PATIENT, saysMs: 600_000 }));
describeRecordingControl('telnyx', () => openVoice('623', PATIENT));
describeMachineConformance('telnyx, by its own detector', async () => ({
  ...(await openVoice('602', PATIENT)),
  answeredBy: { machine: '+14805542008', fax: '+14805542009' },
}));

const [person, machine, fax] = [newPerson(), newPerson(), newPerson()];
describeMachineConformance('telnyx, by the detector of the gateway', async () => {
  const sounds = { sounds: true, presses: '' } as const;
  await telnyx.control.person({ phoneNumber: person, ...sounds });
  await telnyx.control.person({ phoneNumber: machine, is: 'machine', ...sounds });
  await telnyx.control.person({ phoneNumber: fax, is: 'fax', ...sounds });
  const subject = await openVoice('602', PATIENT, byGateway);
  return { ...subject, person: () => person, answeredBy: { machine, fax }, playedAfterMs };
});
