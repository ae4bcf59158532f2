/** Fixtures of the controls that play the parties of simulated calls. */
import { randomInt } from 'node:crypto';
import { sql } from '../support/jobs.ts';
import type { Fixture, Request } from './fixture.ts';
import { externalNumber, type World } from './world.ts';

/** An inbound call whose caller waits. */
async function newArrival({ must, e164 }: World): Promise<string> {
  return (await must('POST', '/v1/test/inbound_calls', { from: externalNumber(), to: e164 })).id;
}

/** A call with a gather in progress: no job runs in these worlds, so the call is not answered. */
async function newListened(world: World): Promise<string> {
  const id = await newArrival(world);
  const { db } = world.harness.context;
  await sql(db, `update simulated_legs set state = 'up', answered_at = now() where call_ref = $1`, [id]);
  return id;
}

/** A call that rings a phone. */
async function newRinging(world: World): Promise<string> {
  const id = await newArrival(world);
  await sql(
    world.harness.context.db,
    `insert into simulated_legs (ledger_id, leg_ref, call_ref, party, address, dialled, state)
     values ($1, $2 || ':target', $2, 'agent', $3, true, 'ringing')`,
    [world.ledgerId, id, externalNumber()],
  );
  return id;
}

function control(make: (world: World) => Promise<string>, body?: () => NonNullable<Request['body']>): Fixture {
  return {
    make: async (world) => ({ path: { call_id: await make(world) }, ...(body !== undefined && { body: body() }) }),
    refs: { 'path.call_id': 'call_not_found' },
  };
}

export const SIMULATED_CALL_FIXTURES: Readonly<Record<string, Fixture>> = {
  'POST /v1/test/inbound_calls': {
    make: async ({ e164 }) => ({
      body: { from: externalNumber(), to: e164, script: 'ring 3, answer, say "Hello", hangup' },
    }),
    refs: { 'body.to': 'phone_number_not_found' },
  },
  'POST /v1/test/calls/{call_id}/answer': control(newRinging),
  'POST /v1/test/calls/{call_id}/hangup': control(newArrival),
  'POST /v1/test/calls/{call_id}/dtmf': control(newListened, () => ({
    digits: String(randomInt(1_000_000_000)),
    party: 'customer',
  })),
  'POST /v1/test/calls/{call_id}/speech': control(newListened, () => ({
    speaker: 'customer',
    text: `My number is ${randomInt(1_000_000_000)}`,
  })),
  'POST /v1/test/calls/{call_id}/voicemail': control(newArrival, () => ({
    seconds: 4,
    transcript: `Call me back at ${randomInt(1_000_000_000)}.`,
  })),
  'POST /v1/test/calls/{call_id}/audio': {
    make: async (world) => {
      const id = await newArrival(world);
      const number = externalNumber();
      const { db } = world.harness.context;
      await sql(db, 'update simulated_legs set address = $2 where call_ref = $1', [id, number]);
      await world.must('POST', `/v1/test/calls/${id}/take_over`, { number });
      return { path: { call_id: id }, body: { number } };
    },
    refs: { 'path.call_id': 'call_not_found' },
  },
  'POST /v1/test/calls/{call_id}/take_over': control(newArrival, () => ({ number: externalNumber() })),
};
