/** The behavior of an engine that the domain relies on, tested on a real engine. Time is real. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { concat, type Pcm, silence } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import type { VoicePort } from '../../src/carriers/ports/voice.ts';
import { SIP_KIND } from '../../src/carriers/sip/index.ts';
import type { Tx } from '../../src/db/database.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { createSynthesizer } from '../../src/speech/speech-synthesis.ts';
import { describeAgentConformance, describeAudioConformance } from '../conformance/audio.ts';
import { describeFrontDeskConformance } from '../conformance/front-desk.ts';
import { describeMachineConformance } from '../conformance/machines.ts';
import { describeRecordingControl } from '../conformance/recording-control.ts';
import { describeVoiceConformance, type HasCome, type VoiceSubject } from '../conformance/voice.ts';
import { beepOf, talk } from '../support/answers.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { addConnectionNumber } from '../support/connection-numbers.ts';
import { useHarness } from '../support/harness.ts';
import { silentLog, sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson } from '../support/messages.ts';
import { fund } from '../support/money.ts';
import { startEngine } from './engine.ts';
import { startPeople } from './people.ts';

const harness = await useHarness({ adapterKinds: [SIP_KIND], startWorkers: false });
const { db } = harness.context;
const ledger: Ledger = await fund(harness);
const people = await startPeople();
closeAfterTests(() => people.close());

/** The engine fetches sounds from this server and sends audio to it, in place of the product. */
const front = createServer();
front.listen(0, '127.0.0.1');
await once(front, 'listening');
const frontUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
closeAfterTests(() => {
  front.closeAllConnections();
  front.close();
});

const trunks = JSON.stringify([{ name: 'main', host: '127.0.0.1', port: people.port, keepalive_s: 5 }]);
const engine = await startEngine({ dialplaneUrl: frontUrl, settings: { trunks } });
closeAfterTests(() => engine.close());

const id = await addConnection(harness.context, {
  ...{ kind: 'sip', name: 'desk', ...engine.connection, capabilities: [] },
});
const reported: CarrierEvent[] = [];
const parts = {
  ...{ db, log: silentLog, metrics: createMetrics(), alarms: { raise: () => undefined } },
  synthesizer: createSynthesizer({ log: silentLog }),
  sink: (_: Ledger, events: readonly CarrierEvent[]) => {
    reported.push(...events);
    return Promise.resolve();
  },
  // Events are reported after the commit: a test acts on an arrival immediately, so the leg must be stored.
  takeEvents: (tx: Tx, _: Ledger, events: readonly CarrierEvent[]) => {
    tx.afterCommit(() => reported.push(...events));
    return Promise.resolve();
  },
  readHoldAudio: () => Promise.resolve(undefined),
};
const connected = SIP_KIND.make(parts as never).connect({ id, name: 'desk', ...engine.connection });
closeAfterTests(() => connected.close?.());
await connected.start?.();
const ready = 'select 1 from sip_engines where ready_at is not null';
await until('the engine is heard', async () => (await sql(db, ready)).length > 0);
const { voice: own = assert.fail() } = connected.carrier;

front.on('request', async (request, response) => {
  const sound = await connected.ingress?.readSound?.(request.url?.replace(`/carrier/sip/${id}`, '') ?? '');
  // The header that the product sends. If a file has no age, the engine may delete its copy while a call opens it.
  const headers = {
    'content-type': 'audio/wav',
    'cache-control': `private, max-age=${connected.ingress?.soundMaxAgeS}`,
  };
  response.writeHead(sound === undefined ? 404 : 200, headers).end(sound);
});

/** The gateway address for each leg's stream. The engine connects to this test, which forwards the connection. */
const targets = new Map<string, URL>();
front.on('upgrade', (request, socket, head) => {
  const target = targets.get(new URL(request.url ?? '', frontUrl).searchParams.get('leg') ?? '');
  if (target === undefined) return socket.destroy();
  const onward = connect(Number(target.port), target.hostname, () => {
    const lines = request.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []));
    onward.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    socket.pipe(onward).pipe(socket);
  });
  for (const each of [socket, onward]) {
    each.on('error', () => {
      socket.destroy();
      onward.destroy();
    });
  }
});

/** The person behind each leg. */
const personOf = new Map<string, string>();
/** The people who were asked for a digit. */
const asked: string[] = [];
const voice: VoicePort = {
  ...own,
  dispatch: (of, command) => {
    const { instruction } = command;
    if (instruction.do === 'dial') personOf.set(instruction.legRef, instruction.to);
    if (instruction.do === 'speak' && instruction.purpose === 'gather')
      asked.push(...instruction.legRefs.map((legRef) => personOf.get(legRef) ?? ''));
    if (instruction.do !== 'start_stream' || instruction.url === undefined) return own.dispatch(of, command);
    const url = new URL(instruction.url);
    targets.set(instruction.legRef, new URL(url));
    url.searchParams.set('leg', instruction.legRef);
    return own.dispatch(of, { ...command, instruction: { ...instruction, url: url.href } });
  },
};

const TALKING_S = 10;
const PATIENCE_MS = 3_000;

/**
 * Lets time pass. People who are asked for a key press one. If nobody is asked, a caller hangs up, provided that it has
 * enough time.
 */
async function settle(seconds: number, hasCome: HasCome = () => true): Promise<readonly CarrierEvent[]> {
  const pressers = asked.splice(0);
  const hangsUp = pressers.length === 0 && seconds > TALKING_S;
  if (pressers.length > 0 && seconds >= 5) {
    await until('the prompt is over', () => reported.some(({ type }) => type === 'speech.ended'));
    for (const number of pressers) await people.press(number, '1');
    await sleep(1_000);
  } else await sleep(hangsUp ? PATIENCE_MS : seconds * 1_000);
  await until('what is to come has come', () => {
    // A person who is answered late hangs up late.
    if (hangsUp) for (const number of people.listTalkers()) people.hangUp(number);
    return hasCome(reported);
  });
  return reported.splice(0);
}

const listener = new WebSocketServer({ host: '127.0.0.1', port: 0 });
await once(listener, 'listening');
closeAfterTests(() => {
  for (const socket of listener.clients) socket.terminate();
  listener.close();
});

async function openVoice(): Promise<VoiceSubject> {
  const [number, absent] = [newPerson(), newPerson()];
  people.set(absent, { answersAfterMs: null });
  await addConnectionNumber(db, { ledgerId: ledger.ledgerId, phoneNumber: number, connectionId: id });
  return {
    ...{ voice, ledger, number, absent, person: newPerson, settle },
    streamUrl: `ws://127.0.0.1:${(listener.address() as AddressInfo).port}/`,
    arrive: async (caller) => {
      await people.callIn(caller, number, engine.sipPort);
      const find = () => reported.find((event) => event.type === 'call.arrived' && event.from === caller);
      await until('it has arrived', () => find() !== undefined);
      const arrived = find();
      if (arrived?.type !== 'call.arrived') return assert.fail();
      reported.splice(reported.indexOf(arrived), 1);
      return { callRef: arrived.callRef, legRef: arrived.legRef };
    },
    close: () => Promise.resolve(),
  };
}

describeVoiceConformance('sip', openVoice);
describeAudioConformance('sip', openVoice);
describeAgentConformance('sip', openVoice);
describeFrontDeskConformance('sip', openVoice);
describeRecordingControl('sip', openVoice);

const GREETING = concat([silence(300), talk(8_000), silence(400), beepOf(1_000, 400)]);
const FAX_TONE = sine({ frequencyHz: 2_100, samples: 8 * 3_000, amplitude: 8_000 });

describeMachineConformance('sip', async () => {
  const [person, machine, fax] = [newPerson(), newPerson(), newPerson()];
  const sayings = new Map<string, Pcm>([
    [person, concat([silence(300), talk(700)])],
    [machine, GREETING],
    [fax, concat([silence(300), FAX_TONE])],
  ]);
  for (const number of sayings.keys()) people.set(number, { frequencyHz: 0 });
  let beeped: Promise<{ atMs: number; gotCount: number }> | undefined;
  return {
    ...(await openVoice()),
    person: () => person,
    answeredBy: { machine, fax },
    speak: (to) => {
      const phone = people.phoneOf(to);
      const said = phone.say(sayings.get(to) ?? assert.fail());
      beeped = said.then(() => ({ atMs: performance.now(), gotCount: phone.gotCount }));
    },
    playedAfterMs: async (to) => {
      const { atMs, gotCount } = await (beeped ?? assert.fail());
      const loudFrom = () => people.phoneOf(to).loudFromMs(gotCount);
      await until('the party hears the message', () => loudFrom() !== undefined);
      return (loudFrom() ?? 0) - atMs;
    },
  };
});
