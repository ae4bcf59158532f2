import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { BRAND, makeBrand, setReviews } from '../../../../test/support/compliance.ts';
import type { Json } from '../../../../test/support/events.ts';
import { read } from '../../../../test/support/messages.ts';
import { eventsOf, jobsOf, makeTenant, useTenant } from '../../../../test/support/numbers.ts';

const { harness, tenantId } = await useTenant();
const CODE = '123456';

before(() => setReviews(harness, 'manual'));
after(() => setReviews(harness, 'auto'));

const makePerson = (body: object = {}, key?: string): Promise<Json> =>
  makeBrand(harness, { ...(key && { key }), body: { entity_type: 'sole_proprietor', ...body } });

type Call = { readonly key?: string; readonly once?: string };

function ask(id: string, step: 'confirm' | 'resend', body: object | undefined, { key, once }: Call = {}) {
  return harness.call('POST', `/v1/brands/${id}/verification/${step}`, {
    ...(key && { key }),
    ...(body && { body }),
    ...(once && { headers: { 'idempotency-key': once } }),
  });
}

const confirm = (id: string, code: string, call?: Call) => ask(id, 'confirm', { code }, call);
const resend = (id: string, call?: Call) => ask(id, 'resend', undefined, call);
const refusal = ({ status, body }: { status: number; body: Json }) => [status, body.error?.code];
const brandOf = (id: string): Promise<Json> => read(harness, `/brands/${id}`);

test('a sole proprietor waits for a code, a wrong one changes nothing, and the right one vets the brand', async () => {
  const { id } = await makePerson();
  assert.match((await brandOf(id)).rejection_reason, /the code is 123456/);
  const wrong = await confirm(id, '654321');
  assert.deepEqual([...refusal(wrong), wrong.body.error.param], [422, 'verification_code_invalid', 'code']);
  assert.equal((await brandOf(id)).status, 'pending_vetting');
  const right = await confirm(id, CODE);
  assert.deepEqual([right.status, right.body.status, right.body.rejection_reason], [200, 'vetted', null]);
  assert.deepEqual(right.body, await brandOf(id));
  const [event, ...more] = await eventsOf(harness, id);
  assert.deepEqual([event?.type, event?.data['status'], more.length], ['brand.status_changed', 'vetted', 0]);
  assert.deepEqual(refusal(await confirm(id, CODE)), [409, 'review_not_pending']);
  assert.deepEqual(refusal(await resend(id)), [409, 'review_not_pending']);
  assert.deepEqual(await jobsOf(harness, id), [], 'nothing is left to do');
});

test('a company has no code', async () => {
  const { id } = await makeBrand(harness);
  for (const refused of [await confirm(id, CODE), await resend(id)]) {
    assert.deepEqual(refusal(refused), [409, 'review_not_pending']);
  }
  assert.equal((await brandOf(id)).status, 'pending_vetting');
});

test('a code that has another form than a code is refused with its field', async () => {
  const { id } = await makePerson();
  for (const code of ['', '12', '12345x', '1'.repeat(11), 123456]) {
    const { status, body } = await ask(id, 'confirm', { code });
    assert.deepEqual([status, body.error.param], [400, 'code'], String(code));
  }
});

test('a key of one tenant verifies the brands of its tenant alone', async () => {
  const key = await harness.tenantKey(tenantId);
  const own = await makePerson({ tenant_id: tenantId });
  const platform = await makePerson();
  const foreign = await makePerson({ tenant_id: await makeTenant(harness) });
  for (const step of [resend, (id: string, call: Call) => confirm(id, CODE, call)]) {
    assert.deepEqual(refusal(await step(platform.id, { key })), [403, 'key_not_permitted']);
    assert.deepEqual(refusal(await step(foreign.id, { key })), [403, 'tenant_restricted_key']);
    assert.equal((await step(own.id, { key })).status, 200);
  }
  assert.equal((await brandOf(own.id)).status, 'vetted');
});

test('a code is sent at most once a minute, because the phone may be a stranger’s', async () => {
  const { id } = await makePerson();
  assert.equal((await resend(id)).status, 200);
  const soon = await resend(id);
  assert.deepEqual(refusal(soon), [429, 'rate_limited']);
  const wait = Number(soon.headers.get('retry-after'));
  assert.ok(wait > 0 && wait <= 60, String(wait));
  await harness.advance(60);
  assert.equal((await resend(id)).status, 200);
});

test('after ten wrong codes no code is taken until another one was sent', async () => {
  const { id } = await makePerson();
  const tried = await Promise.all(Array.from({ length: 12 }, (_, at) => confirm(id, String(200_000 + at))));
  for (const reply of tried) assert.deepEqual(refusal(reply), [422, 'verification_code_invalid']);
  assert.deepEqual(refusal(await confirm(id, CODE)), [422, 'verification_code_invalid']);
  assert.equal((await brandOf(id)).status, 'pending_vetting');
  assert.equal((await resend(id)).status, 200);
  assert.equal((await confirm(id, CODE)).body.status, 'vetted');
});

test('a repeat with the same Idempotency-Key gets the first reply, and the brand is vetted once', async () => {
  const { id } = await makePerson();
  const replies = await Promise.all(Array.from({ length: 8 }, () => confirm(id, CODE, { once: `confirm ${id}` })));
  for (const reply of replies) {
    assert.deepEqual([reply.status, reply.body], [200, replies[0]?.body]);
  }
  assert.equal(replies[0]?.body.status, 'vetted');
  assert.equal((await eventsOf(harness, id)).length, 1);
  const other = (await makePerson()).id;
  const again = { once: `resend ${other}` };
  assert.deepEqual([(await resend(other, again)).status, (await resend(other, again)).status], [200, 200]);
});

test('a registry that is not reached counts neither a code that is tried nor one that is sent', async () => {
  const { id } = await makePerson();
  await withPort(
    harness,
    'registry',
    (real) => ({
      ...real,
      sendBrandCode: async () => ({ outcome: 'unavailable' }),
      confirmBrandCode: async () => ({ outcome: 'unavailable' }),
    }),
    async () => {
      for (let times = 0; times < 11; times++) {
        assert.deepEqual(refusal(await confirm(id, CODE)), [503, 'carrier_unavailable']);
      }
      assert.deepEqual(refusal(await resend(id)), [503, 'carrier_unavailable']);
    },
  );
  assert.equal((await confirm(id, CODE)).body.status, 'vetted');
  const other = (await makePerson()).id;
  await withPort(
    harness,
    'registry',
    (real) => ({ ...real, sendBrandCode: async () => ({ outcome: 'unavailable' }) }),
    () => resend(other),
  );
  assert.equal((await resend(other)).status, 200, 'the next one need not wait');
});

test('a confirmation that a crash interrupts is finished, and its repeat gets the reply', async () => {
  const { id } = await makePerson();
  const once = `crash ${id}`;
  await withPort(
    harness,
    'registry',
    (real) => ({
      ...real,
      confirmBrandCode: async (...args) => {
        await real.confirmBrandCode(...args);
        throw new Error('the process ends here');
      },
    }),
    async () => assert.equal((await confirm(id, CODE, { once })).status, 500),
  );
  assert.equal((await brandOf(id)).status, 'pending_vetting');
  await harness.advance(30);
  const repeat = await confirm(id, CODE, { once });
  assert.deepEqual([repeat.status, repeat.body.status], [200, 'vetted']);
  assert.equal((await eventsOf(harness, id)).length, 1);
});

test('after a crash whose code was not confirmed the key is free, and the request can be repeated', async () => {
  const { id } = await makePerson();
  const once = `lost ${id}`;
  await withPort(
    harness,
    'registry',
    (real) => ({
      ...real,
      confirmBrandCode: async () => {
        throw new Error('the process ends here');
      },
    }),
    async () => assert.equal((await confirm(id, CODE, { once })).status, 500),
  );
  await harness.advance(30);
  const repeat = await confirm(id, CODE, { once });
  assert.deepEqual([repeat.status, repeat.body.status], [200, 'vetted']);
});

test('with reviews that are made at once a sole proprietor is vetted without a code', async () => {
  await setReviews(harness, 'auto');
  const { id } = await makePerson({ ...BRAND, entity_type: 'sole_proprietor' });
  const { status, rejection_reason } = await brandOf(id);
  assert.deepEqual([status, rejection_reason], ['vetted', null]);
  await setReviews(harness, 'manual');
});
