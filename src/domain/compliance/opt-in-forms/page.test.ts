import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { sql } from '../../../../test/support/jobs.ts';
import { buyNumber, useTenant } from '../../../../test/support/numbers.ts';
import { now } from '../../../lib/time/time.ts';
import { updateAccountStatus } from '../../accounts/index.ts';
import { findPublicForm, type PublicForm } from './queries.ts';
import { submitForm } from './submit-form.ts';

const { harness, tenantId } = await useTenant({ startWorkers: false });

type Form = { id: string; slug: string; consent_text: string };
const made = async (body: object = {}, key = harness.account.test_key): Promise<Form> => {
  const reply = await harness.call('POST', '/v1/opt_in_forms', {
    body: { tenant_id: tenantId, name: 'Text reminders', ...body },
    key,
  });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};
const open = (slug: string) => harness.call('GET', `/opt-in/${slug}`, { key: null });
/** Sends the form as a browser does. */
const fill = (slug: string, fields: Record<string, string> | string, headers: Record<string, string> = {}) =>
  harness.call('POST', `/opt-in/${slug}`, {
    key: null,
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html,*/*;q=0.8', ...headers },
  });
const post = (slug: string, body: unknown, headers: Record<string, string> = {}) =>
  harness.call('POST', `/opt-in/${slug}`, { key: null, body, headers });
const submissions = async (id: string) =>
  (await harness.call('GET', `/v1/opt_in_forms/${id}/submissions?limit=100`)).body.data;

const GOOD = { phone_number: '(602) 555-0143', consent: 'yes' };
const E164 = '+16025550143';

describe('the page', () => {
  test('it opens without an API key and shows the tenant, the form and the consent text', async () => {
    const form = await made({
      terms_url: 'https://example.com/terms?a=1&b=2',
      privacy_url: 'https://example.com/privacy',
      color: '#ffe600',
    });
    const { status, headers, body } = await open(form.slug);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.ok(body.startsWith('<!doctype html>\n<html lang="en">'));
    for (const part of [
      '<h1>Text reminders</h1>',
      form.consent_text.replace('&', '&amp;'),
      'href="https://example.com/terms?a=1&amp;b=2"',
      'href="https://example.com/privacy"',
      '--brand: #ffe600; --on-brand: #000000',
    ]) {
      assert.ok(body.includes(part), part);
    }
  });

  test('a browser in Spanish gets our words in Spanish, and the consent text as the tenant wrote it', async () => {
    const form = await made({ consent_text: 'I agree to texts from Desert Paws.' });
    const inSpanish = { 'accept-language': 'fr, es-MX;q=0.8, en;q=0.5' };
    const opened = await harness.call('GET', `/opt-in/${form.slug}`, { key: null, headers: inSpanish });
    assert.ok(opened.body.startsWith('<!doctype html>\n<html lang="es">'));
    assert.equal(opened.headers.get('vary')?.includes('accept-language'), true);
    for (const part of ['Número de teléfono', 'Recibir mensajes de texto', '>I agree to texts from Desert Paws.<']) {
      assert.ok(opened.body.includes(part), part);
    }
    assert.ok(!/Phone number|Sign up/.test(opened.body));
    const refused = await fill(form.slug, { phone_number: '12' }, inSpanish);
    assert.ok(refused.body.includes('Ingrese un número de teléfono'));
    assert.ok(refused.body.includes('Marque la casilla'));
    const thanked = await fill(form.slug, GOOD, inSpanish);
    assert.ok(thanked.body.includes('<h1>Gracias</h1>'), thanked.body);
    const [kept] = await submissions(form.id);
    assert.equal(kept.consent_text, 'I agree to texts from Desert Paws.');
    const gone = await harness.call('GET', '/opt-in/no-such-form', { key: null, headers: inSpanish });
    assert.ok(gone.body.includes('Este formulario no está aquí'));
    for (const header of ['en, es;q=0.9', 'de', 'es;q=0', '*']) {
      const headers = { 'accept-language': header };
      const { body } = await harness.call('GET', `/opt-in/${form.slug}`, { key: null, headers });
      assert.ok(body.includes('<html lang="en">'), header);
    }
    const plain = await made();
    const { body } = await harness.call('GET', `/opt-in/${plain.slug}`, { key: null, headers: inSpanish });
    assert.ok(body.includes('<label for="consent" lang="en">I agree to receive'));
  });

  test('every field has its label, and the box is not ticked', async () => {
    const { body } = await open((await made()).slug);
    const inputs = [...body.matchAll(/<input id="(\w+)"[^>]*>/g)];
    assert.deepEqual(
      inputs.map(([, id]) => id),
      ['phone_number', 'consent'],
    );
    for (const [, id] of inputs) assert.ok(body.includes(`<label for="${id}">`), id);
    assert.doesNotMatch(body, /\bchecked\b(?!\])/);
  });

  test('it loads only its own style and the logo, runs no script and cannot be framed', async () => {
    const plain = await open((await made()).slug);
    const style = /<style>(.*?)<\/style>/s.exec(plain.body)?.[1] as string;
    const digest = createHash('sha256').update(style).digest('base64');
    const policy = `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
    assert.equal(plain.headers.get('content-security-policy'), policy);
    assert.doesNotMatch(plain.body, /<script|<img|<link|\son\w+=/i);
    const branded = await open((await made({ logo_url: 'https://cdn.example.com:8443/a/logo.png?x=1' })).slug);
    const rules = (branded.headers.get('content-security-policy') ?? '').split('; ');
    assert.ok(rules.includes('img-src https://cdn.example.com:8443'), rules.join());
    assert.match(branded.body, /<img src="https:\/\/cdn\.example\.com:8443\/a\/logo\.png\?x=1" alt="[^"]+"/);
    for (const { headers } of [plain, branded]) {
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('access-control-allow-origin'), null);
    }
  });

  test('an unknown address is answered with a 404 page', async () => {
    for (const slug of ['none', 'a%00b', '..%2f..%2fetc', '%3Cscript%3E', "' or 1=1", 'x'.repeat(150)]) {
      const { status, body } = await open(slug);
      assert.equal(status, 404, slug);
      assert.match(body, /<p data-code="(not_found|opt_in_form_not_found)">/);
      assert.ok(body.startsWith('<!doctype html>') && !body.includes('<script'), slug);
    }
    const reply = await post('none', GOOD);
    assert.deepEqual([reply.status, reply.body.error.code], [404, 'opt_in_form_not_found']);
  });

  test('test forms are labelled as test forms, live ones are not', async () => {
    const live = harness.account.live_key;
    const tenant = (await harness.call('POST', '/v1/tenants', { key: live, body: { name: 'Live' } })).body;
    const form = await made({ tenant_id: tenant.id }, live);
    assert.doesNotMatch((await open(form.slug)).body, /test form/);
    assert.match((await open((await made()).slug)).body, /test form/);
  });

  test('the pages of a suspended account are not found until it is resumed', async () => {
    const { id, test_key: key } = await harness.secondAccount();
    const tenant = (await harness.call('POST', '/v1/tenants', { key, body: { name: 'x' } })).body;
    const form = await made({ tenant_id: tenant.id }, key);
    await updateAccountStatus(harness.context.db, id, 'suspended');
    assert.equal((await open(form.slug)).status, 404);
    assert.equal((await fill(form.slug, GOOD)).status, 404);
    await updateAccountStatus(harness.context.db, id, 'active');
    assert.equal((await open(form.slug)).status, 200);
  });
});

describe('markup in texts of tenants and visitors', () => {
  const HOSTILE = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;{}</style>`;
  const assertHarmless = (body: string) => {
    assert.ok(!body.includes('<script') && !body.includes('<img src=x') && !body.includes('</style><'), body);
    assert.equal(body.split('<style>').length, 2);
    assert.equal(body.split('</style>').length, 2);
  };

  test("a tenant's names and texts are escaped, on the form and on the thanks page", async () => {
    const tenant = (await harness.call('POST', '/v1/tenants', { body: { name: HOSTILE } })).body;
    for (const fields of [{}, { consent_text: HOSTILE }, { logo_url: `https://example.com/${HOSTILE}` }]) {
      const form = await made({ tenant_id: tenant.id, name: HOSTILE, ...fields });
      const page = await open(form.slug);
      assertHarmless(page.body);
      assert.ok(page.body.includes('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)'));
      assertHarmless((await fill(form.slug, GOOD)).body);
    }
  });

  test("a visitor's entry is escaped when it is shown again", async () => {
    const form = await made();
    const { status, body } = await fill(form.slug, { phone_number: HOSTILE, consent: HOSTILE });
    assert.equal(status, 400);
    assertHarmless(body);
    assert.ok(body.includes('value="&quot;&gt;&lt;script&gt;'));
  });
});

describe('consent', () => {
  test('a completed form is answered with the thanks page, and the evidence is stored', async () => {
    const form = await made();
    const before = now();
    const { status, body } = await fill(form.slug, GOOD, { 'user-agent': 'Browser/1.0' });
    assert.equal(status, 200);
    assert.match(body, /<h1>Thank you<\/h1>/);
    assert.match(body, /<strong>\+16025550143<\/strong>/);
    const [kept, ...more] = await submissions(form.id);
    assert.deepEqual(more, []);
    assert.deepEqual(kept, {
      id: kept.id,
      object: 'opt_in_submission',
      opt_in_form_id: form.id,
      tenant_id: tenantId,
      campaign_id: null,
      phone_number: E164,
      consent_text: form.consent_text,
      submitted_at: kept.created_at,
      ip_address: '127.0.0.1',
      user_agent: 'Browser/1.0',
      created_at: kept.created_at,
      times_submitted: 1,
      last_consent_text: form.consent_text,
      last_ip_address: '127.0.0.1',
      last_user_agent: 'Browser/1.0',
      last_submitted_at: kept.created_at,
    });
    assert.match(kept.id, /^ois_/);
    assert.ok(Date.parse(kept.created_at) >= before - 1_000);
  });

  test('it may be sent as JSON, and is confirmed as JSON', async () => {
    const form = await made();
    const { status, body } = await post(form.slug, { phone_number: E164, consent: 'yes' });
    assert.equal(status, 201);
    assert.deepEqual(body, {
      object: 'opt_in_confirmation',
      phone_number: E164,
      consent_text: form.consent_text,
      submitted_at: body.submitted_at,
    });
    assert.equal((await submissions(form.id)).length, 1);
  });

  test('the time is ledger time, and the text is the one that was shown', async () => {
    const { test_key: key } = await harness.secondAccount();
    const tenant = (await harness.call('POST', '/v1/tenants', { key, body: { name: 'Before' } })).body;
    const form = await made({ tenant_id: tenant.id }, key);
    await harness.call('PATCH', `/v1/tenants/${tenant.id}`, { key, body: { name: 'After' } });
    await harness.advance(86_400, key);
    await fill(form.slug, GOOD);
    const { body } = await harness.call('GET', `/v1/opt_in_forms/${form.id}/submissions`, { key });
    assert.ok(Date.parse(body.data[0].created_at) > now() + 80_000_000);
    assert.match(body.data[0].consent_text, /Before/);
  });

  test('a number entered twice has one row, with the first evidence unchanged and the latest beside it', async () => {
    const form = await made();
    const first = await fill(form.slug, GOOD, { 'user-agent': 'First' });
    await harness.advance(60);
    const second = await fill(form.slug, { ...GOOD, phone_number: E164 }, { 'user-agent': 'Second' });
    assert.deepEqual([second.status, second.body], [first.status, first.body]);
    const [row, ...more] = await submissions(form.id);
    assert.deepEqual(more, []);
    assert.deepEqual([row.user_agent, row.last_user_agent, row.times_submitted], ['First', 'Second', 2]);
    assert.ok(Date.parse(row.last_submitted_at) - Date.parse(row.created_at) >= 60_000);
  });

  test('50 concurrent entries of one number are one row', async () => {
    const form = await made();
    const replies = await Promise.all(Array.from({ length: 50 }, () => fill(form.slug, GOOD)));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    const rows = await submissions(form.id);
    assert.deepEqual(
      rows.map((row: { times_submitted: number }) => row.times_submitted),
      [50],
    );
  });

  test('without the box there is no consent', async () => {
    const form = await made();
    for (const fields of ['', 'consent=', 'consent=no', 'consent=on', 'consent=YES', 'consent=no&consent=yes']) {
      const { status, body } = await fill(form.slug, `phone_number=6025550143&${fields}`);
      assert.equal(status, 422, fields);
      assert.match(body, /<title>Error: /);
      assert.match(body, /role="alert".*href="#consent"/s);
      assert.match(body, /<p class="error" id="consent_error" data-code="missing_consent">/);
      assert.match(body, /id="consent"[^>]*aria-describedby="consent_error" aria-invalid="true"/);
      assert.match(body, /value="6025550143"/);
    }
    for (const consent of [undefined, 'no', false, 1, null, ['yes']]) {
      const reply = await post(form.slug, { phone_number: E164, consent });
      assert.deepEqual(
        [reply.status, reply.body.error.code, reply.body.error.param],
        [422, 'missing_consent', 'consent'],
      );
    }
    assert.deepEqual(await submissions(form.id), []);
  });

  test('an invalid number is named, and the box is not ticked again', async () => {
    const form = await made();
    for (const phone_number of ['', '555', 'x', '+1 111 111 1111']) {
      const { status, body } = await fill(form.slug, { ...GOOD, phone_number });
      assert.equal(status, 400, phone_number);
      assert.match(body, /href="#phone_number"/);
      assert.match(
        body,
        /id="phone_number"[^>]*aria-describedby="phone_number_hint phone_number_error" aria-invalid="true"/,
      );
      assert.doesNotMatch(body, /\bchecked\b(?!\])/);
      const code = phone_number === '' ? 'missing_fields' : 'invalid_phone';
      const reply = await post(form.slug, { ...GOOD, phone_number });
      assert.deepEqual([reply.status, reply.body.error.code, reply.body.error.param], [400, code, 'phone_number']);
    }
    assert.deepEqual(await submissions(form.id), []);
  });

  test('a form sent by another site is not consent', async () => {
    const form = await made();
    for (const site of ['cross-site', 'same-site']) {
      assert.equal((await fill(form.slug, GOOD, { 'sec-fetch-site': site })).status, 422);
    }
    assert.deepEqual(await submissions(form.id), []);
    assert.equal((await fill(form.slug, GOOD, { 'sec-fetch-site': 'same-origin' })).status, 200);
  });

  test('JSON that does not match the documentation is refused', async () => {
    const form = await made();
    const refusals: [unknown, number, string][] = [
      ['{"phone_number":', 400, 'invalid_json'],
      ['[]', 400, 'invalid_body'],
      ['"x"', 400, 'invalid_body'],
      [{ ...GOOD, name: 'x' }, 400, 'invalid_body'],
      [{ ...GOOD, phone_number: 6025550143 }, 400, 'invalid_phone'],
      [{ ...GOOD, phone_number: `${E164}\u0000` }, 400, 'invalid_phone'],
      [`{"phone_number":"${' '.repeat(17_000)}"}`, 413, 'unreadable_body'],
    ];
    for (const [body, status, code] of refusals) {
      const reply = await post(form.slug, body);
      assert.deepEqual([reply.status, reply.body.error.code], [status, code], JSON.stringify(body));
    }
    // Content types that a page of another origin can send without a CORS preflight.
    const simple = await post(form.slug, JSON.stringify(GOOD), { 'content-type': 'text/plain' });
    assert.deepEqual([simple.status, simple.body.error.code], [415, 'unsupported_media_type']);
    assert.equal((await fill(form.slug, `phone_number=${'6'.repeat(17_000)}`)).status, 413);
    assert.deepEqual(await submissions(form.id), []);
  });

  test('only this route parses forms', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await harness.call('POST', '/v1/tenants', { body: 'name=x', headers });
    assert.deepEqual([reply.status, reply.body.error.code], [415, 'unsupported_media_type']);
  });

  test('a consent does not lift a STOP', async () => {
    const number = await buyNumber(harness, tenantId);
    const form = await made();
    const inbound = { from: E164, to: number.phone_number, body: 'STOP' };
    assert.ok((await harness.call('POST', '/v1/test/inbound_messages', { body: inbound })).status < 300);
    const sending = () => harness.call('POST', '/v1/messages', { body: { from: number.id, to: E164, body: 'Hello' } });
    assert.equal((await sending()).body.error?.code, 'recipient_opted_out');
    assert.equal((await fill(form.slug, GOOD)).status, 200);
    assert.equal((await submissions(form.id)).length, 1);
    assert.equal((await sending()).body.error?.code, 'recipient_opted_out');
  });

  test('a form deleted while it is being sent stores nothing', async () => {
    const form = await made();
    const { db } = harness.context;
    const shown = (await findPublicForm(db, form.slug)) as PublicForm;
    assert.equal((await harness.call('DELETE', `/v1/opt_in_forms/${form.id}`)).status, 204);
    const sent = submitForm(db, shown, E164, { ipAddress: '203.0.113.7', userAgent: undefined });
    await assert.rejects(sent, { code: 'opt_in_form_not_found' });
    assert.deepEqual(await submissions(form.id), []);
  });

  test('an internal error is a page without its cause, and stores nothing', async () => {
    const form = await made();
    await sql(harness.context.db, 'alter table opt_in_submissions rename column user_agent to secret_agent');
    try {
      const { status, body } = await fill(form.slug, GOOD);
      assert.equal(status, 500);
      assert.match(body, /Something went wrong/);
      assert.doesNotMatch(body, /relation|secret_agent|user_agent|insert|opt_in_submissions/);
    } finally {
      await sql(harness.context.db, 'alter table opt_in_submissions rename column secret_agent to user_agent');
    }
  });
});
