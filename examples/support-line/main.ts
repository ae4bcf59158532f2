/**
 * A support line with a queue: callers wait for an agent, agents have ten seconds after each call, and callers who
 * press 1 are called back as soon as an agent is free. README.md says how to run it.
 */
import type { Call, Dialplane, Event, PhoneNumber, Queue } from '@dialplane/sdk';
import { TestMode } from '@dialplane/sdk/testing';
import {
  ensureNumber,
  ensureRouting,
  isDemo,
  newPerson,
  type Receiver,
  receiveEvents,
  run,
  say,
  untilStopped,
} from '../shared/local-server.ts';

const NAME = 'support-line';
/** The agent. In test mode this number answers within seconds. */
const AGENT = process.env['AGENT'] ?? '+16025550120';
const WRAP_UP_SECONDS = 10;
const LOOK_EVERY_MS = 500;

/** Callers who want to be called back, in their order. Keep them in your database. */
const callbacks: Call[] = [];

async function ensureQueue(client: Dialplane, { tenant_id }: PhoneNumber): Promise<Queue> {
  const settings = {
    agents: [AGENT],
    wrap_up_seconds: WRAP_UP_SECONDS,
    announce_position_seconds: 20,
    callback_digit: '1',
    overflow: { type: 'voicemail' as const, greeting_text: 'All of us are busy. Please leave a message.' },
  };
  const found = (await client.callQueues.list({ tenant_id })).data.find(({ name }) => name === NAME);
  if (found !== undefined) return client.callQueues.update(found.id, settings);
  return client.callQueues.create({ tenant_id, name: NAME, ...settings });
}

async function handle(client: Dialplane, event: Event): Promise<void> {
  if (event.type === 'call.queued') say(`  a caller waits at position ${event.data.position}`);
  if (event.type !== 'call.dequeued') return;
  const { call_id, reason, agent, wait_seconds } = event.data;
  say(`  after ${wait_seconds} s the caller has left the queue: ${agent ?? reason}`);
  if (reason !== 'callback' || callbacks.some(({ id }) => id === call_id)) return;
  callbacks.push(await client.calls.get(call_id));
}

/**
 * Calls back the first caller in the list when an agent is free. The key belongs to the call, so it is called only
 * once.
 */
async function callBack(client: Dialplane, queueId: string): Promise<void> {
  const [call] = callbacks;
  if (call === undefined) return;
  const free = (await client.callQueues.get(queueId)).agents.find(({ state }) => state === 'available');
  if (free === undefined) return;
  const placed = await client.calls.create(
    { from: call.phone_number_id, to: call.from, connect_to: free.agent },
    { idempotencyKey: `${NAME}-${call.id}` },
  );
  callbacks.shift();
  say(`  ${free.agent} is free and calls ${placed.to} back`);
}

/** Plays two callers: the agent answers the first, and the second does not want to wait. */
async function demonstrate(client: Dialplane, number: PhoneNumber, receiver: Receiver, queueId: string): Promise<void> {
  const test = new TestMode(client);
  const [ana, ben] = [test.phone(newPerson()), test.phone(newPerson())];
  say(`\nAna (${ana.number}) calls, and the agent answers.`);
  let left = receiver.next('call.dequeued');
  const first = await ana.call(number.phone_number);
  await left;
  await receiver.until(
    () => client.callQueues.get(queueId),
    ({ agents }) => agents[0]?.state === 'busy',
  );

  say(`\nBen (${ben.number}) calls, and presses 1.`);
  const queued = receiver.next('call.queued');
  const second = await ben.call(number.phone_number);
  await queued;
  left = receiver.next('call.dequeued');
  await test.call(second.id).press('1');
  await left;

  say('\nAna hangs up. The agent has ten seconds for a note.');
  const completed = receiver.next('call.completed');
  await test.call(first.id).hangUp();
  await completed;
  // When this resolves the agent's telephone has been hung up too.
  await test.advanceClock({ seconds: 1 });
  say(`  the agent's state is ${(await client.callQueues.get(queueId)).agents[0]?.state}`);
  const placed = receiver.next('call.placed');
  await test.advanceClock({ seconds: WRAP_UP_SECONDS });
  await placed;
}

await run(async (client) => {
  const number = await ensureNumber(client, NAME);
  const queue = await ensureQueue(client, number);
  await ensureRouting(client, number, {
    name: 'Support line',
    open_behavior: { type: 'queue', queue_id: queue.id },
  });
  const types = ['call.queued', 'call.dequeued', 'call.placed', 'call.completed'] as const;
  const about = { name: NAME, tenantId: number.tenant_id, types: [...types] };
  const receiver = await receiveEvents(client, about, (event) => handle(client, event));
  let looking = Promise.resolve();
  const look = () => callBack(client, queue.id).catch((error: unknown) => say(`  not called back yet: ${error}`));
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_EVERY_MS);
  say(`${number.phone_number} leads to a queue with the agent ${AGENT}.`);
  try {
    await (isDemo ? demonstrate(client, number, receiver, queue.id) : untilStopped());
  } finally {
    clearInterval(timer);
    await looking;
    await receiver.close();
  }
});
