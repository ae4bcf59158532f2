/** Queues in the console: made, followed, changed, deleted, and the target of a routing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccess } from '../support/accessibility.ts';
import { callIn, route } from '../support/calls.ts';
import { newPerson } from '../support/messages.ts';
import { logIn } from '../support/web-clients.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount, pick } from './support/own-account.ts';

const console = await useConsole();
const { skip } = console;

test('a queue is made, shows who waits, and its agents take breaks', { skip }, async () => {
  const { own, line, send, openPage } = await makeOwnAccount(console);
  const agent = newPerson();
  const page = await openPage(`queues?tenant_id=${line.tenantId}`);
  await page.getByRole('button', { name: 'New queue' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name' }).fill('Support');
  await form.getByRole('textbox', { name: 'Agents' }).fill(`${agent}\nnobody`);
  await form.getByRole('button', { name: 'Make the queue' }).click();
  await form.getByRole('textbox', { name: 'Agents' }).fill(`${agent}\n`);
  await form.getByRole('button', { name: 'Make the queue' }).click();
  await page.getByRole('heading', { name: 'Support', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Set away' }).click();
  await page.getByRole('button', { name: 'Set available' }).waitFor();
  const [queue] = (await send('GET', '/v1/queues')).data;
  assert.deepEqual(
    queue.agents.map((each: { state: string }) => each.state),
    ['away'],
  );
  const waits = { type: 'queue', queue_id: queue.id };
  await route(own, line, { open_behavior: waits, closed_behavior: waits });
  await callIn(own, line, { from: newPerson() });
  await page.getByRole('main').getByText('of at most').locator('..').getByText('1', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('spinbutton', { name: 'Seconds without a caller' }).fill('45');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('45 s', { exact: true }).waitFor();
  assert.equal((await send('GET', `/v1/queues/${queue.id}`)).wrap_up_seconds, 45);
});

test('what follows a wait is edited: a ring, with its mistakes at the field, and another queue', { skip }, async () => {
  const { line, send, openPage } = await makeOwnAccount(console);
  const { tenantId: tenant_id } = line;
  const queue = await send('POST', '/v1/queues', { tenant_id, name: 'Support' });
  const second = await send('POST', '/v1/queues', { tenant_id, name: 'Second line' });
  const page = await openPage(`queues/${queue.id}`);
  const dialog = page.getByRole('dialog');
  const kind = (name: RegExp) => dialog.getByRole('button', { name }).first();
  const choose = async (from: RegExp, to: string) => {
    await kind(from).click();
    await page.getByRole('option', { name: to }).click();
  };
  const save = () => dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Change' }).click();
  await choose(/Goes to the voicemail/, 'Rings telephones or software');
  const target = dialog.getByRole('textbox', { name: 'Number of target 1' });
  await target.fill('nobody');
  await save();
  await target.and(page.locator('[aria-invalid=true]')).waitFor();
  await checkAccess(page);
  await target.fill('+16025550117');
  await save();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(/^Rings \(602\) 555-0117/).waitFor();
  assert.deepEqual((await send('GET', `/v1/queues/${queue.id}`)).overflow.targets, ['+16025550117']);
  await page.getByRole('button', { name: 'Change' }).click();
  await choose(/Rings telephones/, 'Waits in a queue');
  await pick(page, 'Queue', 'Second line');
  await save();
  await dialog.waitFor({ state: 'detached' });
  const saved = await send('GET', `/v1/queues/${queue.id}`);
  assert.deepEqual(saved.overflow, { type: 'queue', queue_id: second.id });
});

test('routing sends callers to a queue, which cannot be deleted then', { skip }, async () => {
  const { line, send, openPage } = await makeOwnAccount(console);
  const { tenantId: tenant_id } = line;
  const queue = await send('POST', '/v1/queues', { tenant_id, name: 'Support' });
  const behavior = { type: 'ring', targets: ['+16025550117'], no_answer: null };
  const config = await send('POST', '/v1/routing_configs', { tenant_id, name: 'Desk', open_behavior: behavior });
  const page = await openPage(`routing/${config.id}`);
  await page
    .getByRole('button', { name: /Rings telephones/ })
    .first()
    .click();
  await page.getByRole('option', { name: 'Waits in a queue' }).click();
  await pick(page, 'Queue', 'Support');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Saved' }).waitFor();
  const saved = await send('GET', `/v1/routing_configs/${config.id}`);
  assert.deepEqual(saved.open_behavior, { type: 'queue', queue_id: queue.id });
  await page.goto(page.url().replace(`routing/${config.id}`, `queues/${queue.id}`));
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alert').getByText(/queue/i).first().waitFor();
});

test('the agents of a queue and of its calls have the names of their web clients', { skip }, async () => {
  const { own, line, send, openPage } = await makeOwnAccount(console);
  const { tenantId: tenant_id } = line;
  const client = await send('POST', '/v1/web_clients', { tenant_id, name: 'Robin' });
  const queue = await send('POST', '/v1/queues', { tenant_id, name: 'Support', agents: [client.id] });
  const waits = { type: 'queue', queue_id: queue.id };
  await route(own, line, { open_behavior: waits, closed_behavior: waits });
  const robin = await logIn(own, client.id);
  const page = await openPage(`queues/${queue.id}`);
  await page.getByRole('row', { name: /Robin/ }).getByText('available', { exact: true }).waitFor();
  const { id } = await callIn(own, line, { from: newPerson() });
  await robin.receive('incoming');
  robin.send({ type: 'answer', call_id: id });
  await robin.receive('answered');
  await page.goto(page.url().replace(`queues/${queue.id}`, 'calls'));
  await page.getByRole('row', { name: /Robin/ }).getByRole('link').first().click();
  const drawing = page.getByRole('figure', { name: 'The parties of the call over time' });
  await drawing.getByRole('img', { name: /^Robin: connected/ }).waitFor();
  await drawing.getByRole('img', { name: /^Robin: ringing/ }).waitFor();
  assert.equal(await drawing.getByText('Robin', { exact: true }).count(), 1, 'an agent has one lane');
  await page.getByRole('main').getByRole('link', { name: 'Robin' }).waitFor();
  await robin.close();
});
