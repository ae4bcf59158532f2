import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLog } from '../../../test/support/jobs.ts';
import { makeScratch } from '../../../test/support/scratch.ts';
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
  assert.deepEqual(sending.sent, { to: '(12 characters)', text: '(19 characters)', name: '(5 characters)' });
  assert.deepEqual(sending.received.data.to, [{ status: 'queued', phone_number: '(12 characters)' }]);
  assert.equal(sending.received.data.parts, 1);
  assert.deepEqual(search.received, { features: [{ name: 'sms' }] });
  const details = [{ code: 'OTHER', description: '(8 characters)' }];
  assert.deepEqual(port.received, { status: { value: 'exception', details }, value: '(1 characters)' });
  assert.equal((await stat(file)).mode & 0o077, 0, 'only the user of the process can read it');
});

test('a folder that cannot be made stops no request', async () => {
  const { record, close } = createRecorder({ directory: '/dev/null/no', connection: 'ccn_1', log: silentLog });
  record({ operation: 'GET /balance', status: 200, sent: null, received: null });
  await close();
});
