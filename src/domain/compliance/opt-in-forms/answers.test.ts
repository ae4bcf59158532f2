/** Which submissions are answered with a page, and the content types of a submission. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useTenant } from '../../../../test/support/numbers.ts';

const { harness, tenantId } = await useTenant({
  startWorkers: false,
  settings: { publicUrl: 'https://phone.example/base' },
});
const form = { tenant_id: tenantId, name: 'Text reminders' };
const { slug, id: formId } = (await harness.call('POST', '/v1/opt_in_forms', { body: form })).body;

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const URLENCODED = 'application/x-www-form-urlencoded';

type Sent = { status: number; type: string; text: string; code: string | undefined };
const send = async (body: string | FormData, headers: Record<string, string> = {}, to = slug): Promise<Sent> => {
  const response = await fetch(`${harness.url}/opt-in/${to}`, { method: 'POST', body, headers });
  const [text, type] = [await response.text(), response.headers.get('content-type') ?? ''];
  return {
    status: response.status,
    type: type.split(';')[0] ?? '',
    text,
    code: type.includes('json') ? JSON.parse(text).error?.code : /data-code="(\w+)"/.exec(text)?.[1],
  };
};

let people = 0;
const newNumber = () => `+1602555${String(3000 + people++)}`;
const good = () => ({ phone_number: newNumber(), consent: 'yes' });
const multipart = (fields: Record<string, string | Blob>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};
const urlencoded = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const isKept = async (phoneNumber: string): Promise<boolean> => {
  const path = `/v1/opt_in_forms/${formId}/submissions?phone_number=${encodeURIComponent(phoneNumber)}`;
  return (await harness.call('GET', path)).body.data.length > 0;
};

describe('the kind of answer', () => {
  test('a form is answered with a page if Accept names HTML, and with JSON otherwise', async () => {
    const cases: [accept: string, status: number, type: string][] = [
      [BROWSER, 200, 'text/html'],
      ['TEXT/HTML', 200, 'text/html'],
      ['application/json, text/html;q=0.5', 200, 'text/html'],
      ['*/*', 201, 'application/json'],
      ['application/json', 201, 'application/json'],
      ['text/*', 201, 'application/json'],
      ['text/html;q=0, application/json', 201, 'application/json'],
      ['', 201, 'application/json'],
    ];
    for (const [accept, status, type] of cases) {
      for (const make of [urlencoded, multipart]) {
        const body = make(good());
        const headers = { accept, ...(typeof body === 'string' && { 'content-type': URLENCODED }) };
        const sent = await send(body, headers);
        assert.deepEqual([sent.status, sent.type], [status, type], accept);
        if (status === 201) assert.equal(JSON.parse(sent.text).object, 'opt_in_confirmation');
      }
    }
  });

  test('a refusal has its code in the JSON envelope, or on the message of the page', async () => {
    const cases: [fields: Record<string, string>, status: number, code: string][] = [
      [{ phone_number: newNumber() }, 422, 'missing_consent'],
      [{ phone_number: '555', consent: 'yes' }, 400, 'invalid_phone'],
      [{ consent: 'yes' }, 400, 'missing_fields'],
    ];
    for (const [fields, status, code] of cases) {
      for (const [accept, type] of [
        ['*/*', 'application/json'],
        [BROWSER, 'text/html'],
      ] as const) {
        const sent = await send(urlencoded(fields), { accept, 'content-type': URLENCODED });
        assert.deepEqual([sent.status, sent.type, sent.code], [status, type, code]);
      }
    }
    for (const [accept, type] of [
      ['*/*', 'application/json'],
      [BROWSER, 'text/html'],
    ] as const) {
      const sent = await send(urlencoded(good()), { accept, 'content-type': URLENCODED }, 'none');
      assert.deepEqual([sent.status, sent.type, sent.code], [404, type, 'opt_in_form_not_found']);
    }
  });

  test('JSON is answered with JSON for any Accept header', async () => {
    const sent = await send(JSON.stringify(good()), { accept: BROWSER, 'content-type': 'application/json' });
    assert.deepEqual([sent.status, sent.type], [201, 'application/json']);
  });
});

describe('the ways of consent', () => {
  test('a form may be sent as multipart/form-data', async () => {
    const fields = good();
    assert.equal((await send(multipart(fields))).status, 201);
    assert.ok(await isKept(fields.phone_number));
    const twice = multipart(good());
    twice.append('consent', 'no');
    assert.deepEqual([(await send(twice)).status, (await send(multipart({}))).code], [422, 'missing_fields']);
  });

  test('a file is not read as a field', async () => {
    const fields = good();
    const beside = multipart({ ...fields, photo: new Blob(['x'], { type: 'image/png' }) });
    assert.equal((await send(beside)).status, 201);
    assert.equal((await send(multipart({ ...good(), consent: new Blob(['yes']) }))).code, 'missing_consent');
    assert.equal((await send(multipart({ consent: 'yes', phone_number: new Blob([newNumber()]) }))).status, 400);
  });

  test('multipart that is unreadable or too large is refused', async () => {
    const type = 'multipart/form-data; boundary=b';
    const field = (name: string, value: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    for (const [headerType, body] of [
      [type, 'nothing of the kind'],
      [type, field('phone_number', newNumber()) + field('consent', 'yes')],
      [type, '--b\r\n\r\n\r\n--b--'],
      ['multipart/form-data', `${field('consent', 'yes')}--b--\r\n`],
    ] as const) {
      const sent = await send(body, { 'content-type': headerType });
      assert.deepEqual([sent.status, sent.code], [400, 'invalid_body'], body);
    }
    const page = await send('nothing of the kind', { 'content-type': type, accept: BROWSER });
    assert.deepEqual([page.status, page.type, page.code], [400, 'text/html', 'invalid_body']);
    assert.equal((await send(multipart({ ...good(), photo: new Blob(['x'.repeat(17_000)]) }))).status, 413);
  });

  test('consent in JSON is yes or true', async () => {
    for (const [consent, status] of [
      ['yes', 201],
      [true, 201],
      [false, 422],
      ['true', 422],
      [1, 422],
    ] as const) {
      const body = JSON.stringify({ ...good(), consent });
      assert.equal((await send(body, { 'content-type': 'application/json' })).status, status, String(consent));
    }
  });
});

test('a form sent by a page of another origin is not consent', async () => {
  const { host } = new URL(harness.url);
  const cases: [origin: string, status: number][] = [
    ['https://elsewhere.example', 422],
    ['https://phone.example.elsewhere.example', 422],
    ['https://phone.example:8443', 422],
    ['http://phone.example', 422],
    ['nonsense', 422],
    ['https://phone.example', 201],
    [`http://${host}`, 201],
    [`https://${host}`, 201],
    ['null', 201],
  ];
  for (const [origin, status] of cases) {
    for (const make of [urlencoded, multipart]) {
      const fields = good();
      const body = make(fields);
      const sent = await send(body, { origin, ...(typeof body === 'string' && { 'content-type': URLENCODED }) });
      assert.deepEqual([sent.status, sent.code], [status, status === 201 ? undefined : 'missing_consent'], origin);
      assert.equal(await isKept(fields.phone_number), status === 201);
    }
  }
});
