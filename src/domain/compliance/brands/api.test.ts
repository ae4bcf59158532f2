import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BRAND, makeBrand, setReviews } from '../../../../test/support/compliance.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { read } from '../../../../test/support/messages.ts';
import { eventsOf, jobsOf, makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import { now } from '../../../lib/time/time.ts';

const { harness, tenantId } = await useTenant();

const post = (body: object, key?: string) => harness.call('POST', '/v1/brands', { ...(key && { key }), body });

describe('POST /brands', () => {
  test('the reply shows a brand in vetting; the brand is vetted and its event emitted before the reply arrives', async () => {
    const reply = await post({ ...BRAND, tenant_id: tenantId });
    assert.equal(reply.status, 201);
    const { id, created_at, ...rest } = reply.body;
    assert.match(id, /^brd_[0-9a-z]{26}$/);
    assert.ok(Math.abs(Date.parse(created_at) - now()) < 3_600_000);
    const expected = { ...BRAND, object: 'brand', ein: '**-***6789', tenant_id: tenantId, rejection_reason: null };
    assert.deepEqual(rest, { ...expected, status: 'pending_vetting' });
    const [event, ...more] = await eventsOf(harness, id);
    assert.equal(more.length, 0);
    assert.deepEqual([event?.type, event?.tenant_id], ['brand.status_changed', tenantId]);
    const { previous_status, ...data } = (event?.data ?? {}) as Record<string, unknown>;
    assert.equal(previous_status, 'pending_vetting');
    const brand = await read(harness, `/brands/${id}`);
    assert.deepEqual(brand, { ...reply.body, status: 'vetted' });
    assert.deepEqual(JSON.parse(JSON.stringify(data)), brand);
    assert.deepEqual(await jobsOf(harness, id), [], 'nothing is left to do');
  });

  test('a brand with eight mistakes is told of all eight, each with its field and code', async () => {
    const wrong = {
      ein: '12-34',
      entity_type: 'llc',
      website: 'desert-dental',
      contact_email: 'office',
      phone: '602-555-0143',
      state: 'Arizona',
      postal_code: '850',
    };
    const { status, body } = await post({ ...BRAND, ...wrong, legal_name: ' ' });
    assert.deepEqual([status, body.error.code, body.error.param], [400, 'legal_name_required', 'legal_name']);
    const found = Object.fromEntries(
      body.error.fields.map(({ param, code }: { param: string; code: string }) => [param, code]),
    );
    assert.deepEqual(found, {
      legal_name: 'legal_name_required',
      ein: 'invalid_ein',
      entity_type: 'invalid_entity_type',
      website: 'invalid_body',
      contact_email: 'invalid_contact_email',
      phone: 'invalid_billing_phone_number',
      state: 'invalid_body',
      postal_code: 'invalid_body',
    });
    assert.equal(body.error.fields[0].param, 'legal_name');
    assert.ok(body.error.fields.every(({ message }: { message: string }) => message.length > 10));
  });

  test('a brand without a tenant belongs to the platform', async () => {
    const { dba: _, website: __, ...least } = BRAND;
    const brand = await makeBrand(harness, { body: { tenant_id: null } });
    assert.equal(brand.tenant_id, null);
    const plain = await post(least);
    assert.deepEqual([plain.body.tenant_id, plain.body.dba, plain.body.website], [null, null, null]);
    const [event] = await eventsOf(harness, brand.id);
    assert.equal(event?.tenant_id, null);
  });

  test('a sole proprietor needs no EIN, and is registered without one', async () => {
    const { ein: _, ...person } = { ...BRAND, entity_type: 'sole_proprietor' };
    const brand = await post(person);
    assert.deepEqual([brand.status, brand.body.ein], [201, null]);
    assert.equal((await read(harness, `/brands/${brand.body.id}`)).ein, null);
    const named = await makeBrand(harness, { body: { entity_type: 'sole_proprietor', ein: '98-7654321' } });
    assert.equal(named.ein, '**-***4321');
  });

  test('an EIN is accepted in both forms, shown masked, and stored encrypted', async () => {
    const [dashed, plain] = [
      await makeBrand(harness, { body: { ein: '98-7654321' } }),
      await makeBrand(harness, { body: { ein: '987654321' } }),
    ];
    assert.deepEqual([dashed.ein, plain.ein], ['**-***4321', '**-***4321']);
    const [row] = await sql<{ text: string }>(
      harness.context.db,
      `select b::text || ' ' || (select string_agg(data::text, ' ') from events where resource_id = b.id) as text
       from brands b where id = $1`,
      [plain.id],
    );
    assert.doesNotMatch(row?.text ?? '', /98-?7654321/);
    assert.doesNotMatch(row?.text ?? '', new RegExp(Buffer.from('987654321').toString('hex')));
  });

  test('a brand without fields is told all that it needs, a tax id among them', async () => {
    const { body } = await harness.call('POST', '/v1/brands', { body: {} });
    const named = body.error.fields.map(({ param }: { param: string }) => param).sort();
    const required = ['city', 'contact_email', 'ein', 'entity_type', 'legal_name', 'phone', 'postal_code', 'state'];
    assert.deepEqual(named, [...required, 'street']);
    const { body: person } = await harness.call('POST', '/v1/brands', { body: { entity_type: 'sole_proprietor' } });
    assert.ok(!person.error.fields.some(({ param }: { param: string }) => param === 'ein'));
  });

  test('a refused brand names the code and the field', async () => {
    for (const [change, code, param] of [
      [{ legal_name: undefined }, 'legal_name_required', 'legal_name'],
      [{ legal_name: '  ' }, 'legal_name_required', 'legal_name'],
      [{ legal_name: undefined, phone: undefined }, 'missing_fields', 'legal_name'],
      [{ ein: undefined }, 'missing_fields', 'ein'],
      [{ ein: null }, 'missing_fields', 'ein'],
      [{ ein: ' ' }, 'missing_fields', 'ein'],
      [{ ein: '12-34', entity_type: 'sole_proprietor' }, 'invalid_ein', 'ein'],
      [{ ein: '12345678' }, 'invalid_ein', 'ein'],
      [{ ein: '123-456789' }, 'invalid_ein', 'ein'],
      [{ ein: 123456789 }, 'invalid_ein', 'ein'],
      [{ entity_type: 'llc' }, 'invalid_entity_type', 'entity_type'],
      [{ contact_email: 'office' }, 'invalid_contact_email', 'contact_email'],
      [{ phone: '6025550100' }, 'invalid_billing_phone_number', 'phone'],
      [{ phone: '+442071838750' }, 'invalid_billing_phone_number', 'phone'],
      [{ phone: '+1602555010' }, 'invalid_billing_phone_number', 'phone'],
      [{ phone: '+14165550123' }, 'invalid_billing_phone_number', 'phone'],
      [{ phone: '+18765550123' }, 'invalid_billing_phone_number', 'phone'],
      [{ website: 'desert-dental' }, 'invalid_body', 'website'],
      [{ website: 'https://' }, 'invalid_body', 'website'],
      [{ website: 'http:///about' }, 'invalid_body', 'website'],
      [{ website: 'https://:443/' }, 'invalid_body', 'website'],
      [{ website: 'https://?q=1' }, 'invalid_body', 'website'],
      [{ website: 'https://me@/' }, 'invalid_body', 'website'],
      [{ state: 'Arizona' }, 'invalid_body', 'state'],
      [{ state: '4Z' }, 'invalid_body', 'state'],
      [{ postal_code: '8500' }, 'invalid_body', 'postal_code'],
      [{ postal_code: '85004-12' }, 'invalid_body', 'postal_code'],
      [{ street: '' }, 'missing_fields', 'street'],
      [{ dba: '' }, 'invalid_body', 'dba'],
      [{ status: 'vetted' }, 'invalid_body', 'status'],
    ] as const) {
      const reply = await post({ ...BRAND, ...change });
      assert.deepEqual([reply.status, reply.body.error?.code, reply.body.error?.param], [400, code, param]);
    }
    const unknown = await post({ ...BRAND, tenant_id: 'tnt_none' });
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'tenant_not_found']);
    assert.equal((await post({ ...BRAND, postal_code: '85004-1234', state: 'az' })).body.state, 'AZ');
  });

  test('a repeat with the same Idempotency-Key gets the same brand, in vetting as it was', async () => {
    const send = () => harness.call('POST', '/v1/brands', { body: BRAND, headers: { 'idempotency-key': 'brand-1' } });
    const replies = await Promise.all(Array.from({ length: 16 }, send));
    for (const reply of replies) {
      assert.equal(reply.status, 201);
      assert.deepEqual(reply.body, replies[0]?.body);
    }
    assert.equal(replies[0]?.body.status, 'pending_vetting');
    const listed = await read(harness, '/brands?limit=100');
    assert.equal(listed.data.filter((brand: { id: string }) => brand.id === replies[0]?.body.id).length, 1);
  });

  test('a registration is counted once in test mode, and costs nothing', async () => {
    const before = await usage();
    await makeBrand(harness);
    assert.equal((await usage()) - before, 1);
  });
});

async function usage(): Promise<number> {
  const { data } = await read(harness, '/usage?start=2020-01-01&end=2100-01-01');
  return data.find(({ kind }: { kind: string }) => kind === 'brand_registration')?.quantity ?? 0;
}

describe('keys of one tenant', () => {
  test('they create and see brands of their tenant only, not the brand of the platform', async () => {
    const key = await harness.tenantKey(tenantId);
    const platform = await makeBrand(harness);
    const foreign = await makeBrand(harness, { body: { tenant_id: await makeTenant(harness) } });
    const own = await makeBrand(harness, { key, body: { tenant_id: tenantId } });
    assert.deepEqual(refusal(await post(BRAND, key)), [403, 'key_not_permitted']);
    assert.deepEqual(refusal(await post({ ...BRAND, tenant_id: foreign.tenant_id }, key)), [
      403,
      'tenant_restricted_key',
    ]);
    const get = (id: string) => harness.call('GET', `/v1/brands/${id}`, { key });
    assert.equal((await get(own.id)).status, 200);
    assert.deepEqual(refusal(await get(platform.id)), [403, 'key_not_permitted']);
    assert.deepEqual(refusal(await get(foreign.id)), [403, 'tenant_restricted_key']);
    const listed = (await read(harness, '/brands?limit=100', key)).data;
    assert.ok(listed.some((brand: { id: string }) => brand.id === own.id));
    assert.ok(listed.every((brand: { tenant_id: string }) => brand.tenant_id === tenantId));
    const ofForeign = (await read(harness, `/brands?tenant_id=${foreign.tenant_id}`)).data;
    assert.deepEqual(
      ofForeign.map((brand: { id: string }) => brand.id),
      [foreign.id],
    );
    const review = await harness.call('POST', `/v1/test/brands/${platform.id}/review`, {
      key,
      body: { result: 'approved' },
    });
    assert.deepEqual(refusal(review), [403, 'key_not_permitted']);
  });

  test("another account's brand is not found", async () => {
    const other = await harness.secondAccount();
    const brand = await makeBrand(harness);
    const reply = await harness.call('GET', `/v1/brands/${brand.id}`, { key: other.test_key });
    assert.deepEqual(refusal(reply), [404, 'brand_not_found']);
  });
});

function refusal({ status, body }: { status: number; body: { error?: { code: string } } }) {
  return [status, body.error?.code];
}

describe('reviews by hand', () => {
  before(() => setReviews(harness, 'manual'));
  after(() => setReviews(harness, 'auto'));
  const review = (id: string, body: object) => harness.call('POST', `/v1/test/brands/${id}/review`, { body });

  test('a brand stays in vetting until it is approved, however much time passes', async () => {
    const { id } = await makeBrand(harness);
    await harness.advance(86_400);
    assert.equal((await read(harness, `/brands/${id}`)).status, 'pending_vetting');
    assert.deepEqual(await eventsOf(harness, id), []);
    const reply = await review(id, { result: 'approved' });
    assert.deepEqual([reply.status, reply.body.status], [200, 'vetted']);
    assert.equal((await eventsOf(harness, id)).length, 1);
  });

  test('a rejected brand and its event show the reason', async () => {
    const { id } = await makeBrand(harness);
    const reply = await review(id, { result: 'rejected', reason: 'The EIN belongs to another company.' });
    assert.deepEqual(
      [reply.body.status, reply.body.rejection_reason],
      ['rejected', 'The EIN belongs to another company.'],
    );
    const [event] = await eventsOf(harness, id);
    assert.equal((event?.data as { status?: string } | undefined)?.status, 'rejected');
    const unsaid = await review((await makeBrand(harness)).id, { result: 'rejected' });
    assert.ok(unsaid.body.rejection_reason.length > 0);
  });

  test('a decided brand accepts no further review, and no brand can be suspended', async () => {
    const { id } = await makeBrand(harness);
    assert.deepEqual(refusal(await review(id, { result: 'suspended' })), [409, 'review_not_pending']);
    await review(id, { result: 'approved' });
    for (const result of ['approved', 'rejected', 'suspended']) {
      assert.deepEqual(refusal(await review(id, { result })), [409, 'review_not_pending']);
    }
    assert.equal((await eventsOf(harness, id)).length, 1);
    assert.deepEqual(refusal(await review('brd_none', { result: 'approved' })), [404, 'brand_not_found']);
  });

  test('the review mode is shown, belongs to the account, and is cleared by a reset', async () => {
    assert.deepEqual(await read(harness, '/test/reviews'), { object: 'test_reviews', mode: 'manual' });
    const key = await harness.tenantKey(tenantId);
    for (const method of ['GET', 'POST']) {
      const reply = await harness.call(method, '/v1/test/reviews', {
        key,
        ...(method === 'POST' && { body: { mode: 'auto' } }),
      });
      assert.deepEqual(refusal(reply), [403, 'key_not_permitted']);
    }
    const other = (await harness.secondAccount()).test_key;
    assert.equal((await read(harness, '/test/reviews', other)).mode, 'auto');
    await setReviews(harness, 'manual', other);
    await harness.call('POST', '/v1/test/reset', { key: other });
    assert.equal((await read(harness, '/test/reviews', other)).mode, 'auto');
  });
});
