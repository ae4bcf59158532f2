// own process: the engine counts fewer runs of functions that earlier tests have made it optimize
/**
 * The walks of docs/architecture.md are true: the product runs each path, and the files that ran are compared with the
 * list.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isTestFile, readSources } from '../../scripts/source-files.ts';
import { callIn, ringing, route, voicemail } from '../support/calls.ts';
import { register } from '../support/events.ts';
import { filesRunBy } from '../support/files-run.ts';
import { useHarness } from '../support/harness.ts';
import { newPerson, sendText } from '../support/messages.ts';
import { makeLine } from '../support/numbers.ts';
import { makePacedSender } from '../support/pacing.ts';
import { useReceiver } from '../support/receiver.ts';
import { connectTo, reachStatus, startStream } from '../support/streams.ts';
import { place } from '../support/voice.ts';
import { importsOf, readWalks } from '../support/walks.ts';

type Path = {
  /** The folders whose files are compared. */
  readonly within: readonly string[];
  /** Files that run at the same time and are not part of the path, with the reason. */
  readonly beside: Readonly<Record<string, string>>;
  /** Files of the walk that do not run here, with the reason. */
  readonly idle?: Readonly<Record<string, string>>;
  readonly run: () => Promise<unknown>;
};

const harness = await useHarness();
const walks = readWalks();

/** A constant with several pauses. */
const SCHEDULE = /^(?:export )?const \w*(?:RETRY|RETRIES|ASK_AGAIN|PAUSES)\w*_MS = [[{]/m;

/** A worker, a tick or the server starts these, so no earlier file of the path imports them. */
const BEGUN_ANEW = [
  'src/domain/messaging/dispatch/lane-handler.ts',
  'src/domain/messaging/messages/submit-message.ts',
  'src/domain/voice/calls/commands/command-lanes.ts',
  'src/domain/voice/recordings/keep-audio.ts',
  'src/domain/events/deliveries/lane-handler.ts',
  'src/carriers/connections/media-dialects.ts',
  'src/gateway/media/ticker.ts',
  'src/gateway/media/call-audio.ts',
  'src/gateway/media/stream-socket.ts',
];

test('there are five walks, and each file exists and is imported by one before it', () => {
  assert.equal(walks.size, 5);
  for (const [name, files] of walks) {
    const known = new Set<string>([files[0] ?? '', ...BEGUN_ANEW]);
    for (const file of files) {
      assert.ok(existsSync(file), `${name}: ${file} does not exist`);
      assert.ok(known.has(file), `${name}: no file before ${file} imports it`);
      for (const each of importsOf(file)) known.add(each);
    }
  }
});

/** Fails unless all files that run within the folders are on the walk. */
async function assertWalk(name: string, { within, beside, idle = {}, run }: Path): Promise<void> {
  const walk = walks.get(name) ?? assert.fail(`no walk ${name}`);
  const isWithin = (file: string) => within.some((folder) => file.startsWith(`${folder}/`));
  const ran = [...(await filesRunBy(run))].filter(isWithin);
  const missing = ran.filter((file) => !walk.includes(file) && !(file in beside));
  assert.deepEqual(missing, [], `${name}: these run too`);
  const resting = walk.filter((file) => isWithin(file) && !ran.includes(file) && !(file in idle));
  assert.deepEqual(resting, [], `${name}: these do not run`);
}

const TYPES = { 'src/domain/voice/calls/state/call.ts': 'its types are used' };
const AGENT_LEGS = { 'src/domain/voice/calls/state/agent-legs.ts': 'finds no agent of a queue' };
const SCHEMAS = { 'src/domain/voice/calls/schema.ts': 'its schemas were compiled at the start' };

test('the page names files that exist, and every file with a schedule of retries', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  for (const [, path = ''] of page.matchAll(/`((?:src|scripts|test|bin)\/[\w./-]+\.m?ts)`/g))
    assert.ok(existsSync(path), path);
  const sources = [...readSources('src')].filter(([file]) => !isTestFile(file));
  const schedules = sources.filter(([, text]) => SCHEDULE.test(text)).map(([file]) => `src/${file}`);
  assert.ok(schedules.length >= 6, `${schedules}`);
  for (const file of schedules)
    assert.ok(page.includes(`\`${file}\``), `${file} has a schedule that is not in the table`);
});

test('a send runs the files of its walk', async () => {
  const { number } = await makePacedSender(harness, 'sole_proprietor');
  await assertWalk('A send', {
    within: ['src/domain/messaging'],
    beside: {
      'src/domain/messaging/carrier-events.ts': 'the receipt, after the path',
      'src/domain/messaging/messages/queries.ts': 'the receipt, after the path',
      'src/domain/messaging/messages/record-receipts.ts': 'the receipt, after the path',
      'src/domain/messaging/notes/queries.ts': 'a sweep',
      'src/domain/messaging/retention/message-retention.ts': 'a sweep',
      'src/domain/messaging/retention/queries.ts': 'a sweep',
    },
    run: async () => {
      await sendText(harness, number.id, newPerson());
      await harness.advance(0);
    },
  });
});

test('a click-to-call runs the files of its walk', async () => {
  const { number } = await makeLine(harness);
  await assertWalk('A click-to-call', {
    within: ['src/domain/voice/calls'],
    beside: AGENT_LEGS,
    idle: { ...TYPES, ...SCHEMAS },
    run: async () => {
      await place(harness, number.id);
      await harness.advance(0);
    },
  });
});

/** Parts of the call's state machine that run even if they have nothing to do for a call. */
const UNASKED = Object.fromEntries(
  [
    ...[
      'agent-audio',
      'announcements',
      'consult',
      'detection',
      'digits',
      'following',
      'hearing',
      'hold',
      'listeners',
      'menu',
      'outbound',
      'queue',
      'recording',
      'relay',
      'requests',
      'speeches',
      'streaming',
    ],
    ...['talking', 'transfer'],
  ].map((part) => [`src/domain/voice/calls/machine/${part}.ts`, 'finds nothing to do']),
);

test('a call that ends in voicemail runs the files of its walk', async () => {
  const line = await makeLine(harness);
  await route(harness, line, {
    open_behavior: ringing([newPerson()], { no_answer: { ...voicemail, transcribe: false } }),
  });
  await assertWalk('An inbound call to voicemail', {
    within: ['src/domain/voice/calls', 'src/domain/voice/recordings', 'src/domain/voice/voicemails'],
    beside: {
      ...UNASKED,
      ...AGENT_LEGS,
      'src/domain/voice/recordings/audio-link.ts': 'the link of the audio, in its event',
    },
    idle: TYPES,
    run: async () => {
      const { id } = await callIn(harness, line);
      await harness.advance(0);
      await harness.call('POST', `/v1/test/calls/${id}/voicemail`, { body: {} });
      await harness.advance(30);
    },
  });
});

test('a webhook delivery runs the files of its walk', async () => {
  const receiver = await useReceiver();
  await register(harness, { url: receiver.url });
  const { number } = await makeLine(harness);
  await harness.settled();
  receiver.received.length = 0;
  await assertWalk('A webhook delivery', {
    within: ['src/domain/events'],
    beside: { 'src/domain/events/webhook-endpoints/rules.ts': 'the name under which a secret is sealed' },
    run: async () => {
      await sendText(harness, number.id, newPerson());
      await receiver.arrived(1);
      await harness.settled();
    },
  });
});

test('a stream frame runs the files of its walk', async () => {
  const { number } = await makeLine(harness);
  const { id } = await place(harness, number.id);
  await reachStatus(harness, id, 'in_progress');
  const client = connectTo(await startStream(harness, id), harness.url);
  await client.until((messages) => messages.some(({ event }) => event === 'media'));
  await assertWalk('A stream frame', {
    within: ['src/gateway/media'],
    beside: {},
    idle: {
      'src/gateway/media/carrier-socket.ts': 'the simulated carrier makes its audio in the gateway',
      'src/gateway/media/live-queue.ts': 'the simulated carrier makes its audio in the gateway',
    },
    run: () => client.until(() => client.audioOf('inbound').length > 1_600),
  });
});
