import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';
import { Dialplane, DialplaneError } from '../src/index.ts';
import { TestMode } from '../src/testing.ts';
import { VERSION } from '../src/version.ts';
import { useFaultyProxy } from './support/faulty-proxy.ts';
import { clientOf, makeSender } from './support/sender.ts';

const harness = await useHarness();
const client = clientOf(harness);

test('every operation of the document has a method that requests its path', async () => {
  const document = JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8'));
  const wanted = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations as object).map((verb) => `${verb.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'x')}`),
  );
  const seen: string[] = [];
  const spy = clientOf(harness, {
    fetch: async (address, init) => {
      seen.push(`${init?.method} ${new URL(String(address)).pathname}`);
      return Response.json({ data: [], has_more: false, next_cursor: null });
    },
  });
  for (const resource of Object.values(spy)) {
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(resource))) {
      if (name !== 'constructor') await resource[name]('x', 'x', {}, {});
    }
  }
  assert.deepEqual(seen.sort(), wanted.sort());
});

test('pages are read as the loop gets there', async () => {
  const proxy = await useFaultyProxy(harness.url);
  const paged = clientOf(harness, { baseUrl: proxy.url });
  for (let index = 0; index < 5; index += 1)
    await client.tenants.create({ name: `Clinic ${index}`, external_ref: `${index}` });
  const names: string[] = [];
  for await (const tenant of paged.tenants.list({ limit: 2 })) {
    names.push(tenant.name);
    if (names.length === 1) assert.equal(proxy.requests.length, 1);
  }
  assert.deepEqual(names, ['Clinic 4', 'Clinic 3', 'Clinic 2', 'Clinic 1', 'Clinic 0']);
  assert.equal(proxy.requests.length, 3);

  const first = await paged.tenants.list({ limit: 3 });
  assert.deepEqual([first.data.length, first.hasMore], [3, true]);
  const second = await first.next();
  assert.deepEqual([second?.data.length, second?.hasMore, second?.nextCursor], [2, false, null]);
  assert.equal(await second?.next(), undefined);
  const [one] = (await paged.tenants.list({ external_ref: '3' })).data;
  assert.equal(one?.name, 'Clinic 3');
});

test('a list is a promise of its first page, which is requested once', async () => {
  const proxy = await useFaultyProxy(harness.url);
  const paged = clientOf(harness, { baseUrl: proxy.url });
  const list: Promise<unknown> = paged.tenants.list({ limit: 1 });
  let ends = 0;
  const [page, samePage] = await Promise.all([list, list.finally(() => (ends += 1))]);
  assert.equal(page, samePage);
  assert.equal(ends, 1);
  assert.equal(proxy.requests.length, 1);

  const refused = paged.tenants.list({ after: 'nothing' });
  await assert.rejects(refused, { code: 'invalid_cursor' });
  await assert.rejects(
    refused.finally(() => (ends += 1)),
    { code: 'invalid_cursor' },
  );
  assert.equal(ends, 2);
  assert.equal(await refused.catch((error) => DialplaneError.is(error, 'invalid_cursor')), true);
  assert.equal(proxy.requests.length, 2);
});

test('an error has its code, field, all fields, request id and page', async () => {
  const request = client.brands.create({ legal_name: 'Desert Paws LLC', ein: '12-34' } as never);
  await assert.rejects(request, (error) => {
    assert.ok(DialplaneError.is(error));
    assert.ok(DialplaneError.is(error, 'missing_fields', 'invalid_ein'));
    assert.ok(!DialplaneError.is(error, 'rate_limited'));
    assert.deepEqual([error.code, error.status], ['missing_fields', 400]);
    assert.equal(error.field, error.fields[0]?.param);
    assert.ok(error.fields.some(({ code }) => code === 'invalid_ein'));
    assert.match(error.requestId ?? '', /^req_/);
    assert.match(error.docsUrl ?? '', /docs\/errors\/missing_fields$/);
    assert.match(error.message, /^missing_fields: /);
    return true;
  });
});

test('a wrong key is an error of the API', async () => {
  await assert.rejects(clientOf(harness, { apiKey: 'svc_test_wrong' }).balance.get(), {
    code: 'invalid_api_key',
    status: 401,
  });
});

test('the answer of something else is no success', async () => {
  const proxy = await useFaultyProxy(harness.url);
  const behind = clientOf(harness, { baseUrl: proxy.url, retriesMax: 0 });
  proxy.script(200);
  await assert.rejects(behind.balance.get(), { code: 'unexpected_reply', status: 200 });
  proxy.script(301);
  await assert.rejects(behind.tenants.create({ name: 'x' }), (error) => {
    assert.ok(DialplaneError.is(error, 'unexpected_reply'));
    assert.match(error.message, /redirect to http.*set baseUrl/);
    return error.status === 301;
  });
});

test('ids are parts of a path, and never another path', async () => {
  await assert.rejects(client.tenants.get('../phone_numbers'), { code: 'tenant_not_found' });
  for (const id of ['', '.', '..', undefined as never]) {
    assert.throws(() => client.tenants.delete(id), { code: 'invalid_argument' });
  }
});

test('a path may have a plus: an opt-out is removed by its number', async () => {
  const { tenant } = await makeSender(client);
  const optOut = await client.optOuts.create({ tenant_id: tenant.id, external_number: '+16025550150' });
  await client.optOuts.remove(optOut.external_number, { tenant_id: tenant.id });
  assert.deepEqual((await client.optOuts.list({ tenant_id: tenant.id })).data, []);
});

test('a file is sent as it is', async () => {
  const { tenant } = await makeSender(client);
  const portIn = await client.portIns.create({
    tenant_id: tenant.id,
    phone_numbers: ['+16025550177'],
    entity_name: 'Desert Paws LLC',
    authorized_person: 'Pat Lee',
    account_number: '1234',
    billing_phone_number: '+16025550177',
    service_address: { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' },
  });
  const content = new TextEncoder().encode('%PDF-1.4\n%%EOF\n');
  const file = { content, type: 'application/pdf' } as const;
  const document = await client.portIns.createDocument(portIn.id, file, { kind: 'invoice' });
  assert.equal(document.kind, 'invoice');
  await client.portIns.deleteDocument(portIn.id, document.id);
});

test('audio is a response, whole or in part, until it is read or aborted', async () => {
  const { number, tenant } = await makeSender(client);
  const lab = new TestMode(client);
  const call = await lab.phone('+16025550151').call(number.phone_number);
  await lab.call(call.id).leaveVoicemail({ seconds: 4 });
  await lab.advanceClock(30);
  const [voicemail] = (await client.voicemails.list({ tenant_id: tenant.id })).data;
  const id = voicemail?.id as string;
  const whole = await client.voicemails.getAudio(id);
  assert.equal(whole.headers.get('content-type'), 'audio/wav');
  const bytes = new Uint8Array(await whole.arrayBuffer());
  assert.equal(String.fromCharCode(...bytes.slice(0, 4)), 'RIFF');
  const part = await client.voicemails.getAudio(id, {}, { headers: { range: 'bytes=4-11' } });
  assert.equal(part.status, 206);
  assert.deepEqual(new Uint8Array(await part.arrayBuffer()), bytes.slice(4, 12));
  const controller = new AbortController();
  const left = await client.voicemails.getAudio(id, {}, { signal: controller.signal, timeoutMs: 5_000 });
  controller.abort();
  await assert.rejects(left.arrayBuffer(), { name: 'AbortError' });
});

test('options that are wrong are refused before anything is sent', () => {
  const { apiKey, baseUrl } = { apiKey: 'svc_test_x', baseUrl: 'http://localhost' };
  assert.throws(() => new Dialplane({ apiKey: '', baseUrl }), { code: 'invalid_argument' });
  assert.throws(() => new Dialplane({ apiKey: undefined, baseUrl }), { code: 'invalid_argument' });
  assert.throws(() => new Dialplane({ apiKey, baseUrl: 'phone.example' }), { code: 'invalid_argument' });
  assert.throws(() => new Dialplane({ apiKey, baseUrl: undefined as never }), { code: 'invalid_argument' });
});

test('baseUrl may end with a slash or with /v1', async () => {
  for (const ending of ['/', '/v1', '/v1/']) {
    const { object } = await clientOf(harness, { baseUrl: `${harness.url}${ending}` }).test.getClock();
    assert.equal(object, 'test_clock');
  }
});

test('the version is that of the package', async () => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  assert.equal(VERSION, version);
});
