/** Notes in the inbox: written for the team, never sent, and never taken for a text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { checkAccess } from '../support/accessibility.ts';
import { outboxOf } from '../support/messages.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount } from './support/own-account.ts';

const console = await useConsole();
const { skip } = console;
const DANA = '+16025550143';

async function makeInbox() {
  const desk = await makeOwnAccount(console);
  const { conversation_id } = await desk.send('POST', '/v1/messages', {
    from: desk.line.number.id,
    to: DANA,
    body: 'Biscuit is ready.',
  });
  return { ...desk, conversation: conversation_id as string };
}

const threadOf = (page: Page): Locator => page.getByRole('region', { name: 'Texts and calls' });
const noteOf = (page: Page): Locator => page.getByRole('region', { name: 'Write a note' });
const textOf = (page: Page): Locator => page.getByRole('region', { name: 'Write a text' });
const choose = (page: Page, kind: string) =>
  page.getByRole('group', { name: 'What to write' }).getByRole('button', { name: kind }).click();

test('a note is written, shown apart from texts, reaches no handset, and is deleted after a question', {
  skip,
}, async () => {
  const inbox = await makeInbox();
  const page = await inbox.openPage(`inbox/${inbox.conversation}`);
  await textOf(page).getByRole('textbox', { name: 'Text' }).fill('See you');
  await choose(page, 'Note');
  const field = noteOf(page).getByRole('textbox', { name: 'Note' });
  await field.fill('Tell the lab.');
  await field.press('Control+Enter');
  const note = threadOf(page).getByRole('article', { name: 'Note' });
  await note.getByText('Tell the lab.').waitFor();
  await note.getByText('for your team, not sent').waitFor();
  assert.equal(await threadOf(page).getByRole('article', { name: 'Sent' }).count(), 1);
  assert.equal(await field.inputValue(), '');
  await checkAccess(page);
  await field.fill('Half a thought');
  await page.reload();
  await textOf(page).waitFor();
  assert.equal(await textOf(page).getByRole('textbox', { name: 'Text' }).inputValue(), 'See you');
  await choose(page, 'Note');
  assert.equal(await field.inputValue(), 'Half a thought');
  assert.deepEqual(
    (await outboxOf(inbox.own, DANA)).map(({ body }) => body),
    ['Biscuit is ready.'],
  );
  await note.getByRole('button', { name: 'Delete note' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete note' }).click();
  await note.waitFor({ state: 'detached' });
});

test('a note that is refused keeps its words, and says why', { skip }, async () => {
  const inbox = await makeInbox();
  const page = await inbox.openPage(`inbox/${inbox.conversation}`);
  await choose(page, 'Note');
  const words = 'x'.repeat(4_001);
  const field = noteOf(page).getByRole('textbox', { name: 'Note' });
  await field.fill(words);
  await noteOf(page).getByRole('button', { name: 'Save note' }).click();
  await noteOf(page).getByRole('alert').waitFor();
  assert.equal(await field.inputValue(), words);
  assert.equal(await threadOf(page).getByRole('article', { name: 'Note' }).count(), 0);
});

test("a colleague's note appears in the open thread, and is gone when it is deleted", { skip }, async () => {
  const inbox = await makeInbox();
  const page = await inbox.openPage(`inbox/${inbox.conversation}`);
  await threadOf(page).getByText('Biscuit is ready.').waitFor();
  const path = `/v1/conversations/${inbox.conversation}/notes`;
  const { id } = await inbox.send('POST', path, { body: 'Call the lab.' });
  await threadOf(page).getByText('Call the lab.').waitFor();
  await inbox.own.call('DELETE', `${path}/${id}`);
  await threadOf(page).getByText('Call the lab.').waitFor({ state: 'detached' });
});
