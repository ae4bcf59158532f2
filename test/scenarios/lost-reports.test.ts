/** The product asks a carrier for the reports that were lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BRAND, CAMPAIGN } from '../support/compliance.ts';
import type { Json } from '../support/events.ts';
import { runNow, sql, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { eventsOf } from '../support/numbers.ts';
import { makePortIn } from '../support/port-ins.ts';
import { sleep } from '../support/stepping-time.ts';
import { useWireLine } from '../wire/wire-line.ts';

const { harness, wire, key, ledger, get, make, untilHas, tenant, brand, number, closeOffice } = await useWireLine();
const { people } = wire;
const { db } = harness.context;

const lose = (event: string, times = 1) => people.faults({ rules: [{ event, is: 'lose', times }] });

/** Waits until the reports are lost. */
const untilLost = (times = 1) => until('the reports are lost', async () => (await people.struck({})) === times, 20_000);

const run = (id: string) => runNow(db, id);

const typesOf = async (id: string): Promise<string[]> => (await eventsOf(harness, id)).map(({ type }) => type);

const logOf = async (id: string): Promise<string[]> => (await get(`/calls/${id}`)).events.map(({ type }: Json) => type);

/** Makes the end of a call older. */
const age = (id: string, minutes: number) =>
  sql(db, 'update calls set ended_at = clock_timestamp() - make_interval(mins => $2, secs => 5) where id = $1', [
    id,
    minutes,
  ]);

/** Makes a call whose recording is not reported. */
async function unreportedCall(): Promise<string> {
  await lose('recording.ended');
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to: newPerson(), record: true });
  // The log has the command. A call that ends before the carrier has carried it out leaves no audio.
  const isRecorded = async () => (await people.history({})).recordings.some(({ callRef }) => callRef === id);
  await until('it is recorded', isRecorded, 20_000);
  await sleep(1_000);
  await make(`/calls/${id}/hangup`, {}, 200);
  await untilHas(`/calls/${id}`, { status: 'completed' });
  await untilLost();
  return id;
}

test('a recording that was not reported is asked for two minutes after the end of the call, and kept once', async () => {
  const id = await unreportedCall();
  await age(id, 1);
  await run('sweep.lost_recordings');
  assert.equal((await get(`/calls/${id}`)).recording_id, null);
  await age(id, 2);
  await run('sweep.lost_recordings');
  await until('it is kept', async () => (await get(`/calls/${id}`)).recording_id !== null);
  const { recording_id } = await get(`/calls/${id}`);
  const audio = await harness.call('GET', `/v1/recordings/${recording_id}/audio`, {
    key,
    headers: { range: 'bytes=0-3' },
  });
  assert.equal(audio.status, 206);
  await run('sweep.lost_recordings');
  assert.deepEqual(await typesOf(recording_id), ['recording.created']);
});

test('a recording that the carrier cannot find within a day is logged as one without audio', async () => {
  const id = await unreportedCall();
  await people.faults({ rules: [{ operation: 'voice.findRecording', is: '500' }] });
  for (const minutes of [2, 60]) {
    await age(id, minutes);
    await run('sweep.lost_recordings');
  }
  const failures = async () => (await get(`/calls/${id}`)).events.filter(({ type }: Json) => type === 'failed');
  assert.deepEqual(await failures(), []);
  await age(id, 1_440);
  await run('sweep.lost_recordings');
  const [{ detail }, ...more] = await failures();
  assert.deepEqual([detail.failed, detail.reason, more], ['recording', 'no_audio', []]);
  assert.equal((await get(`/calls/${id}`)).recording_id, null);
});

test('a message that was not reported becomes a voicemail, once', async () => {
  await closeOffice();
  await lose('recording.ended');
  const { callRef } = await people.callIn({ from: newPerson(), to: number.phone_number });
  await until(
    'the call has ended',
    async () => (await sql(db, "select 1 from calls where id = $1 and outcome = 'voicemail'", [callRef])).length > 0,
    40_000,
  );
  await untilLost();
  await age(callRef, 2);
  await run('sweep.lost_recordings');
  await until('there is a voicemail', async () => (await get('/voicemails')).data.length === 1);
  await run('sweep.lost_recordings');
  const [voicemail] = (await get('/voicemails')).data;
  assert.equal(voicemail.call_id, callRef);
  assert.deepEqual(await typesOf(voicemail.id), ['voicemail.created']);
});

test('a decision of the registry that was not reported is asked for', async () => {
  await people.reviews({ ledger: String(ledger.ledgerId), mode: 'manual' });
  await people.faults({ rules: [] });
  const made = await make('/brands', BRAND);
  await until('the registry has it', async () => (await jobOf(made.id)).length > 0);
  await lose('brand.review');
  await people.decide({ ref: made.id, kind: 'brand', status: 'approved' });
  await untilLost();
  assert.equal((await get(`/brands/${made.id}`)).status, 'pending_vetting');
  const [{ id: ofBrand }] = (await jobOf(made.id)) as [{ id: string }];
  await run(ofBrand);
  await untilHas(`/brands/${made.id}`, { status: 'vetted' });
  const campaign = await make('/campaigns', { ...CAMPAIGN, tenant_id: tenant.id, brand_id: brand.id });
  await lose('campaign.review');
  await people.decide({ ref: campaign.id, kind: 'campaign', status: 'approved' });
  await untilLost();
  const [{ id: ofCampaign }] = (await jobOf(campaign.id)) as [{ id: string }];
  await run(ofCampaign);
  await untilHas(`/campaigns/${campaign.id}`, { status: 'approved' });
  await people.reviews({ ledger: String(ledger.ledgerId), mode: 'auto' });
});

const jobOf = (ref: string) =>
  sql<{ id: string }>(db, "select id from jobs where id like '%.registration:' || $1", [ref]);

test('reports of a port-in that were lost are asked for, and it is confirmed before it is completed', async () => {
  await lose('port_in.report', 2);
  const { id } = await makePortIn(harness, tenant.id, {}, key);
  await make(`/port_ins/${id}/submit`, {}, 200);
  await untilLost(2);
  assert.equal((await get(`/port_ins/${id}`)).status, 'in_review');
  await run('sweep.port_ins');
  const portIn = await untilHas(`/port_ins/${id}`, { status: 'completed' });
  const [ported] = (await get(`/phone_numbers?limit=100`)).data;
  assert.equal(ported.phone_number, portIn.phone_numbers[0]);
  const statuses = (await eventsOf(harness, id)).map(({ data }) => (data as Json).status);
  assert.deepEqual(statuses, ['in_review', 'foc_confirmed', 'completed']);
  await run('sweep.port_ins');
  assert.equal((await eventsOf(harness, id)).length, 3);
});

test('a receipt that was not reported is asked for after 15 minutes', async () => {
  await lose('message.receipt');
  const { id } = await make('/messages', { from: number.id, to: newPerson(), body: 'Your appointment is tomorrow.' });
  await untilLost();
  assert.equal((await get(`/messages/${id}`)).status, 'queued', 'this carrier reports the delivery alone');
  await sql(db, "update messages set created_at = created_at - interval '16 min' where id = $1", [id]);
  await run('sweep.lost_receipts');
  await untilHas(`/messages/${id}`, { status: 'delivered' });
});

test('a hang-up that was not reported ends the call within a minute', async () => {
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to: newPerson() });
  await until('they talk', async () => (await logOf(id)).includes('bridged'), 20_000);
  await people.faults({ rules: [{ event: 'leg.ended', is: 'lose' }] });
  assert.ok(await people.play({ callRef: id, control: { do: 'hang_up', party: 'customer' } }));
  await until('the report is lost', async () => (await people.struck({})) > 0);
  await people.faults({ rules: [] });
  await sql(db, "update calls set started_at = started_at - interval '1 minute' where id = $1", [id]);
  await run('sweep.running_calls');
  const { outcome } = await untilHas(`/calls/${id}`, { status: 'completed' });
  assert.equal(outcome, 'answered');
});
