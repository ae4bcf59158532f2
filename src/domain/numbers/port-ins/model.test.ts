/** Tests every pair of a port-in's status and an input, over HTTP and through the carrier's reports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { eventsOf, makeTenant } from '../../../../test/support/numbers.ts';
import { makePortIn } from '../../../../test/support/port-ins.ts';
import type { PortInReport } from '../../../carriers/ports/porting.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { today } from '../../../lib/time/time.ts';
import { applyNumberEvents } from '../carrier-events.ts';
import { PORT_IN_STATUSES, type PortInStatus } from './rules.ts';

const harness = await useHarness({ startWorkers: false });
await harness.call('POST', '/v1/test/reviews', { body: { mode: 'manual' } });

const INPUTS = [
  'submit',
  'cancel',
  'correct',
  'play in_review',
  'play action_needed',
  'play foc_confirmed',
  'play completed',
  'play cancelled',
  'report action_needed',
  'report foc_confirmed',
  'report completed',
  'report cancelled',
  'stale report action_needed',
  'stale report cancelled',
  'delete tenant',
] as const;
type Input = (typeof INPUTS)[number];

/** The status, or the error code, after each input. An absent input changes nothing and is not refused. */
type Row = Partial<Record<Input, PortInStatus | `${string}_not_${string}`>>;

const NO_SUBMIT = { submit: 'port_in_not_submittable', correct: 'port_in_not_submittable' } as const;
const NO_PLAY = {
  'play in_review': 'review_not_pending',
  'play action_needed': 'review_not_pending',
  'play foc_confirmed': 'review_not_pending',
  'play completed': 'review_not_pending',
  'play cancelled': 'review_not_pending',
} as const;

const MODEL: Readonly<Record<PortInStatus, Row>> = {
  draft: { submit: 'in_review', cancel: 'cancelled', ...NO_PLAY, 'delete tenant': 'cancelled' },
  in_review: {
    ...NO_SUBMIT,
    cancel: 'cancelled',
    ...NO_PLAY,
    'play action_needed': 'action_needed',
    'play foc_confirmed': 'foc_confirmed',
    'play cancelled': 'cancelled',
    'report action_needed': 'action_needed',
    'report foc_confirmed': 'foc_confirmed',
    'report cancelled': 'cancelled',
    'delete tenant': 'cancelled',
  },
  action_needed: {
    submit: 'in_review',
    cancel: 'cancelled',
    ...NO_PLAY,
    'play cancelled': 'cancelled',
    'report cancelled': 'cancelled',
    'delete tenant': 'cancelled',
  },
  foc_confirmed: {
    ...NO_SUBMIT,
    cancel: 'port_in_not_cancellable',
    ...NO_PLAY,
    'play action_needed': 'action_needed',
    'play completed': 'completed',
    'report action_needed': 'action_needed',
    'report completed': 'completed',
    'delete tenant': 'cancelled',
  },
  completed: { ...NO_SUBMIT, cancel: 'port_in_not_cancellable', ...NO_PLAY },
  cancelled: { ...NO_SUBMIT, ...NO_PLAY },
};

const WAY: Readonly<Record<PortInStatus, readonly Input[]>> = {
  draft: [],
  in_review: ['submit'],
  action_needed: ['submit', 'report action_needed'],
  foc_confirmed: ['submit', 'report foc_confirmed'],
  completed: ['submit', 'report foc_confirmed', 'report completed'],
  cancelled: ['submit', 'cancel'],
};

type Subject = { id: string; tenantId: string; phoneNumber: string };

async function attemptOf({ id }: Subject): Promise<{ attempt: number; ledger_id: number }> {
  const text = 'select attempt, ledger_id from port_ins where id = $1';
  const [row] = await sql<{ attempt: number; ledger_id: number }>(harness.context.db, text, [id]);
  return row as { attempt: number; ledger_id: number };
}

async function report(subject: Subject, status: string, attemptsAgo: number): Promise<undefined> {
  const { attempt, ledger_id } = await attemptOf(subject);
  const { db } = harness.context;
  const ledger = (await findLedger(db, ledger_id)) ?? assert.fail();
  const number = { phoneNumber: subject.phoneNumber, carrierRef: subject.id, capabilities: ['voice'] as const };
  const report = { status, detail: null, focDate: today(), numbers: [number] } as unknown as PortInReport;
  const event = { type: 'port_in.report', ref: subject.id, attempt: attempt - attemptsAgo, report } as const;
  await db.transaction((tx) => applyNumberEvents(tx, ledger, [event]));
}

/** Applies the input. Returns the code of a refusal. */
async function apply(subject: Subject, input: Input): Promise<string | undefined> {
  const path = `/v1/port_ins/${subject.id}`;
  const call = async (method: string, at: string, body?: object) =>
    (await harness.call(method, at, body ? { body } : {})).body.error?.code;
  const [verb, status = ''] = input.replace('stale report', 'stale').split(' ');
  if (verb === 'submit' || verb === 'cancel') return call('POST', `${path}/${verb}`);
  if (verb === 'correct') return call('PATCH', path, { account_number: '77' });
  if (verb === 'play') return call('POST', `/v1/test/port_ins/${subject.id}/advance`, { status });
  if (verb === 'delete') return call('DELETE', `/v1/tenants/${subject.tenantId}`);
  return report(subject, status, verb === 'stale' ? 1 : 0);
}

async function make(status: PortInStatus): Promise<Subject> {
  const tenantId = await makeTenant(harness);
  const { id, phone_numbers } = await makePortIn(harness, tenantId);
  const subject = { id, tenantId, phoneNumber: phone_numbers[0] };
  for (const input of WAY[status]) assert.equal(await apply(subject, input), undefined, input);
  return subject;
}

for (const status of PORT_IN_STATUSES) {
  for (const input of INPUTS) {
    const expected = MODEL[status][input] ?? status;
    test(`${input} on a ${status} port-in: ${expected}`, async () => {
      const subject = await make(status);
      const before = await eventsOf(harness, subject.id);
      const code = await apply(subject, input);
      const { body } = await harness.call('GET', `/v1/port_ins/${subject.id}`);
      const isMove = (PORT_IN_STATUSES as readonly string[]).includes(expected);
      assert.equal(code, isMove ? undefined : expected);
      assert.equal(body.status, isMove ? expected : status);
      const events = (await eventsOf(harness, subject.id)).slice(before.length);
      const moves = events.map(({ data }) => [data.previous_status, data.status as string]);
      assert.deepEqual(moves, body.status === status ? [] : [[status, body.status]]);
      // A repeat of the same report changes nothing.
      if (input.startsWith('report')) {
        await apply(subject, input);
        assert.equal((await eventsOf(harness, subject.id)).length, before.length + events.length);
      }
    });
  }
}
