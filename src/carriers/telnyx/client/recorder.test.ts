import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLog } from '../../../../test/support/jobs.ts';
import { makeScratch } from '../../../../test/support/scratch.ts';
import { createRecorder } from './recorder.ts';

const { path: directory, remove } = makeScratch('exchanges');
after(remove);

test('a record has the states of an exchange, and of texts the length alone', async () => {
  const { record, close } = createRecorder({ directory: join(directory, 'new'), connection: 'ccn_1', log: silentLog });
  record({
    operation: 'POST /messages',
    status: 200,
    sent: { to: '+14805550142', text: 'Your keys are ready', name: 'tnt_1' },
    received: { data: { id: 'secret', to: [{ status: 'queued', phone_number: '+14805550142' }], parts: 1 } },
  });
  record({
    operation: 'GET /available_phone_numbers',
    status: 200,
    sent: null,
    received: { features: [{ name: 'sms' }] },
  });
  const exception = {
    status: { value: 'exception', details: [{ code: 'OTHER', description: 'Ann left' }] },
    value: 'x',
  };
  record({ operation: 'GET /porting_orders/{id}', status: 200, sent: null, received: exception });
  await close();
  const file = join(directory, 'new', 'ccn_1.jsonl');
  const [sending, search, port] = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(sending.sent, { to: '+99999999999', text: '(19 characters)', name: '(5 characters)' });
  assert.deepEqual(sending.received.data.to, [{ status: 'queued', phone_number: '+99999999999' }]);
  assert.equal(sending.received.data.parts, 1);
  assert.deepEqual(search.received, { features: [{ name: 'sms' }] });
  const details = [{ code: 'OTHER', description: '(8 characters)' }];
  assert.deepEqual(port.received, { status: { value: 'exception', details }, value: '(1 characters)' });
  assert.equal((await stat(file)).mode & 0o077, 0, 'only the user of the process can read it');
});

test('a record has the form of a number, the words for none, and by which state a report is known', async () => {
  const { record, close } = createRecorder({
    directory: join(directory, 'forms'),
    connection: 'ccn_1',
    log: silentLog,
  });
  const state = Buffer.from('{"g":"leg_1"}').toString('base64');
  const forms = [
    ['+14805550142', '+99999999999'],
    ['(480) 555-0142', '(999) 999-9999'],
    ['sip:ann@10.0.0.7;user=phone', 'aaa:aaa@99.9.9.9;aaaa=aaaaa'],
    ['Ann Lee', 'aaa aaa'],
    ['Anonymous', 'Anonymous'],
    ['', ''],
    ['+266696687', '+266696687'],
  ] as const;
  for (const [from] of forms) {
    const payload = { from: { phone_number: from }, client_state: state };
    record({
      operation: 'report call.initiated',
      status: null,
      sent: { from, client_state: state },
      received: payload,
    });
  }
  record({ operation: 'report call.hangup', status: null, sent: null, received: { client_state: 'b3RoZXI=' } });
  await close();
  const lines = (await readFile(join(directory, 'forms', 'ccn_1.jsonl'), 'utf8')).trim().split('\n');
  const exchanges = lines.map((line) => JSON.parse(line));
  for (const [at, [, form]] of forms.entries()) {
    assert.equal(exchanges[at].sent.from, form);
    assert.deepEqual(exchanges[at].received.from, { phone_number: form });
    assert.equal(exchanges[at].received.client_state, exchanges[at].sent.client_state);
  }
  assert.match(exchanges[0].sent.client_state, /^\(20 characters, [0-9a-f]{8}\)$/);
  const [mark, other] = [exchanges[0], exchanges.at(-1)].map((each) => each.received.client_state.slice(-9));
  assert.notEqual(mark, other);
});

test('a folder that cannot be made stops no request', async () => {
  const { record, close } = createRecorder({ directory: '/dev/null/no', connection: 'ccn_1', log: silentLog });
  record({ operation: 'GET /balance', status: 200, sent: null, received: null });
  await close();
});
