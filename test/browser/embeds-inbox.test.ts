/** The inbox for pages of a platform, on a page of another origin under a strict policy. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccess } from '../support/accessibility.ts';
import { useBrowser, useReachableHarness } from '../support/browser.ts';
import { askForCallback, callBack } from '../support/calls.ts';
import { noChromium } from '../support/chromium.ts';
import { mintSession, openEmbed } from '../support/embeds.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { arrive, newPerson, outboxOf } from '../support/messages.ts';
import { buyNumber, makeLine, makeTenant } from '../support/numbers.ts';

const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=1</script>';

const harness = await useReachableHarness();
const browser = await useBrowser(harness);

describe('<dialplane-inbox>', { skip: noChromium }, () => {
  const textOf = (page: Page) => page.getByLabel('Text', { exact: true });
  const conversationWith = (page: Page, text: string) => page.getByRole('button', { name: text });

  async function openInbox(options: object = {}) {
    const line = await makeLine(harness);
    const embed = await openEmbed({ browser, harness, name: 'inbox', ...options });
    const session = await mintSession(harness, line.tenantId, { allowed_origins: [embed.origin] });
    await embed.setSession(session);
    await embed.page.getByText('Live', { exact: true }).waitFor();
    return { ...embed, line, session };
  }

  test('a text arrives by itself, the reply reaches the phone, and after STOP none can be written', async () => {
    const { page, line, close } = await openInbox();
    const person = newPerson();
    await arrive(harness, person, line.number.phone_number, 'Is Biscuit ready?');
    await conversationWith(page, 'Is Biscuit ready?').click();
    await textOf(page).fill('Biscuit is ready.');
    await page.getByText('1 part').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Delivered').waitFor();
    assert.equal(await textOf(page).inputValue(), '');
    assert.deepEqual(
      (await outboxOf(harness, person)).map(({ body }) => body),
      ['Biscuit is ready.'],
    );
    await arrive(harness, person, line.number.phone_number, 'STOP');
    await page.getByText('asked to get no more texts').waitFor();
    assert.equal(await textOf(page).count(), 0);
    await arrive(harness, person, line.number.phone_number, 'START');
    await textOf(page).waitFor();
    await close();
  });

  test('two people share an inbox: what each has read, who has it, what is done, and notes', async () => {
    const line = await makeLine(harness);
    const open = async (reader: string) => {
      const embed = await openEmbed({ browser, harness, name: 'inbox' });
      const abilities = ['conversations:read', 'conversations:write', 'messages:send', 'events:read'];
      const limits = { allowed_origins: [embed.origin], reader, abilities };
      await embed.setSession(await mintSession(harness, line.tenantId, limits));
      await embed.page.getByText('Live', { exact: true }).waitFor();
      return embed;
    };
    const [ann, bob] = [await open('ann'), await open('bob')];
    await arrive(harness, newPerson(), line.number.phone_number, 'Is Biscuit ready?');
    await conversationWith(ann.page, 'Is Biscuit ready?').getByText('New').waitFor();
    await conversationWith(ann.page, 'Is Biscuit ready?').click();
    await conversationWith(ann.page, 'Is Biscuit ready?').getByText('New').waitFor({ state: 'detached' });
    await conversationWith(bob.page, 'Is Biscuit ready?').getByText('New').waitFor();
    await ann.page.getByRole('button', { name: 'Take it' }).click();
    await ann.page.getByRole('button', { name: 'Mark as done' }).click();
    await ann.page.getByText('ann has it').waitFor();
    await conversationWith(bob.page, 'Is Biscuit ready?').getByText('Done').waitFor();
    await conversationWith(bob.page, 'Is Biscuit ready?').getByText('ann').waitFor();
    await checkAccess(ann.page);
    const { id } = (await harness.call('GET', `/v1/conversations?tenant_id=${line.tenantId}`)).body.data[0];
    const path = `/v1/conversations/${id}/notes`;
    const note = await harness.call('POST', path, { body: { body: 'Call the lab.', author: 'bob' } });
    await ann.page.getByText('Call the lab.').waitFor();
    await harness.call('DELETE', `${path}/${note.body.id}`);
    await ann.page.getByText('Call the lab.').waitFor({ state: 'detached' });
    await ann.close();
    await bob.close();
  });

  test('a conversation is snoozed and woken, and the list of another person says so', async () => {
    const line = await makeLine(harness);
    const open = async (reader: string) => {
      const embed = await openEmbed({ browser, harness, name: 'inbox' });
      const abilities = ['conversations:read', 'conversations:write', 'messages:send', 'events:read'];
      await embed.setSession(
        await mintSession(harness, line.tenantId, { allowed_origins: [embed.origin], reader, abilities }),
      );
      await embed.page.getByText('Live', { exact: true }).waitFor();
      return embed;
    };
    const [ann, bob] = [await open('ann'), await open('bob')];
    const person = newPerson();
    await arrive(harness, person, line.number.phone_number, 'Can it wait?');
    await conversationWith(ann.page, 'Can it wait?').click();
    const field = ann.page.getByRole('combobox', { name: 'Snooze' });
    await field.selectOption('For a day');
    await field.locator('option', { hasText: /^Snoozed until/ }).waitFor({ state: 'attached' });
    assert.equal(await field.inputValue(), '');
    await conversationWith(bob.page, 'Can it wait?').getByText('Snoozed').waitFor();
    const { body } = await harness.call('GET', `/v1/conversations?external_number=${encodeURIComponent(person)}`);
    const [{ snoozed_until, last_activity_at }] = body.data;
    const waitMs = Date.parse(snoozed_until) - Date.parse(last_activity_at);
    assert.ok(waitMs >= 24 * 3_600_000, `snoozed until ${snoozed_until}`);
    await checkAccess(ann.page);
    await field.selectOption('End the snooze');
    await conversationWith(bob.page, 'Can it wait?').getByText('Snoozed').waitFor({ state: 'detached' });
    await ann.close();
    await bob.close();
  });

  test('a call whose caller asked to be called back says so with the queue, and when that was done', async () => {
    const line = await makeLine(harness);
    const person = newPerson();
    await askForCallback(harness, line, person);
    const { page, origin, setSession, close } = await openEmbed({ browser, harness, name: 'inbox' });
    const abilities = ['conversations:read', 'events:read'];
    await setSession(await mintSession(harness, line.tenantId, { allowed_origins: [origin], abilities }));
    await page.getByText('Live', { exact: true }).waitFor();
    await conversationWith(page, 'Missed call').click();
    await page.getByText('Callback asked for (Support)').waitFor();
    await page.getByText('Not called back yet').waitFor();
    await checkAccess(page);
    await callBack(harness, line, person);
    await page.getByText('Called back: ').waitFor();
    await close();
  });

  test('a contact stands in place of its number, with its card, and one that is chosen later does too', async () => {
    const { page, line, close } = await openInbox();
    const [sam, stranger] = [newPerson(), newPerson()];
    const contact = async (name: string, fields: object) => {
      const body = { tenant_id: line.tenantId, name, ...fields };
      const reply = await harness.call('POST', '/v1/contacts', { body });
      assert.equal(reply.status, 201, JSON.stringify(reply.body));
      return reply.body;
    };
    await contact('Sam <b>Ortiz</b>', { company: 'Desert Paws', email: 'sam@example.com', phone_numbers: [sam] });
    await arrive(harness, sam, line.number.phone_number, 'Is Biscuit ready?');
    await page.getByText('New text from Sam <b>Ortiz</b>: Is Biscuit ready?').waitFor({ state: 'attached' });
    await arrive(harness, stranger, line.number.phone_number, 'And Pepper?');
    await conversationWith(page, 'Is Biscuit ready?').getByText('Sam <b>Ortiz</b>').waitFor();
    assert.equal(await conversationWith(page, 'And Pepper?').getByText('Sam').count(), 0);
    await conversationWith(page, 'Is Biscuit ready?').click();
    await page.getByRole('heading', { name: 'Sam <b>Ortiz</b>' }).waitFor();
    const card = page.getByRole('group', { name: 'Contact' });
    const [, area, exchange, rest] = /^\+1(...)(...)(....)$/.exec(sam) ?? assert.fail(sam);
    for (const fact of ['Desert Paws', `(${area}) ${exchange}-${rest}`, 'sam@example.com']) {
      await card.getByText(fact).waitFor();
    }
    await checkAccess(page);
    const { id: contact_id } = await contact('Kim Lee', { phone_numbers: [] });
    const { body } = await harness.call('GET', `/v1/conversations?external_number=${encodeURIComponent(stranger)}`);
    const path = `/v1/conversations/${body.data[0].id}`;
    assert.equal((await harness.call('PATCH', path, { body: { contact_id } })).status, 200);
    await conversationWith(page, 'And Pepper?').getByText('Kim Lee').waitFor();
    await close();
  });

  test('with conversations:write a person writes notes, which are never sent, also after STOP', async () => {
    const line = await makeLine(harness);
    const person = newPerson();
    const { page, origin, setSession, close } = await openEmbed({ browser, harness, name: 'inbox' });
    const abilities = ['conversations:read', 'conversations:write', 'messages:send', 'events:read'];
    const fields = { allowed_origins: [origin], reader: 'ann', abilities };
    await setSession(await mintSession(harness, line.tenantId, fields));
    await page.getByText('Live', { exact: true }).waitFor();
    await arrive(harness, person, line.number.phone_number, 'STOP');
    await conversationWith(page, 'unsubscribed').click();
    await page.getByText('asked to get no more texts').waitFor();
    const before = await outboxOf(harness, person);
    await page.getByRole('button', { name: 'Write a note' }).click();
    const field = page.getByRole('textbox', { name: 'Note for the team, not sent' });
    await field.fill('<b>Biscuit</b> bites.');
    await checkAccess(page);
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Note of ann').waitFor();
    await page.getByText('<b>Biscuit</b> bites.').waitFor();
    await field.waitFor({ state: 'detached' });
    const [conversation] = (await harness.call('GET', `/v1/conversations?tenant_id=${line.tenantId}`)).body.data;
    const { data } = (await harness.call('GET', `/v1/conversations/${conversation.id}/notes`)).body;
    assert.deepEqual(
      data.map(({ author, body }: Json) => [author, body]),
      [['ann', '<b>Biscuit</b> bites.']],
    );
    assert.deepEqual(await outboxOf(harness, person), before);
    await close();
  });

  test('a text whose answer never comes can be sent again after a minute, and arrives once', async () => {
    const { page, line, leave } = await openInbox();
    const person = newPerson();
    await arrive(harness, person, line.number.phone_number, 'Is Luna ready?');
    await conversationWith(page, 'Is Luna ready?').click();
    await page.clock.install();
    let isSent = false;
    await page.route('**/v1/messages', async (route) => {
      // The server takes the text, and its reply is lost.
      if (isSent) return await route.continue();
      await route.fetch();
      isSent = true;
    });
    await textOf(page).fill('Luna is ready.');
    await page.getByRole('button', { name: 'Send' }).click();
    await until('the server has the text', () => isSent);
    await page.clock.fastForward(60_000);
    await page.getByText('The server cannot be reached.').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await until('the second request is answered', async () => (await textOf(page).inputValue()) === '');
    await until('the text is delivered', async () => (await outboxOf(harness, person)).length > 0);
    assert.equal((await outboxOf(harness, person)).length, 1);
    await leave();
  });

  test('the verdict of the server stands below the text, and a refused text is not sent', async () => {
    const { page, line, close } = await openInbox();
    await arrive(harness, newPerson(), line.number.phone_number, 'Hello?');
    await conversationWith(page, 'Hello?').click();
    await textOf(page).fill('é'.repeat(100) + '…'.repeat(30));
    await page.getByText('2 parts, with special characters').waitFor();
    const tenant = { path: `/v1/opt_outs`, number: (await harness.call('GET', '/v1/conversations')).body.data[0] };
    await textOf(page).fill('One more');
    const body = { tenant_id: line.tenantId, external_number: tenant.number.external_number };
    await harness.call('POST', tenant.path, { body });
    await page.getByText('asked to get no more texts').waitFor();
    await close();
  });

  test('a person writes to a new number by keyboard', async () => {
    const { page, close, line } = await openInbox();
    const person = newPerson();
    await page.getByRole('button', { name: 'New text' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'To' }).waitFor();
    await page.keyboard.type(person.slice(2));
    await textOf(page).focus();
    await page.keyboard.type('Your order is here.');
    await page.getByText('1 part').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Delivered').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Choose a conversation.').waitFor();
    assert.equal((await outboxOf(harness, person))[0]?.from, line.number.phone_number);
    await close();
  });

  test('a text that was written before the numbers are read is checked and sent when they are', async () => {
    const { page, close } = await openInbox();
    const asked = Promise.withResolvers<void>();
    await page.route('**/v1/phone_numbers?*', async (route) => {
      await asked.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'New text' }).click();
    await page.getByRole('textbox', { name: 'To' }).fill(newPerson().slice(2));
    await textOf(page).fill('Your order is here.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('There is no number to send from yet.').waitFor();
    asked.resolve();
    await page.getByText('1 part').waitFor();
    await textOf(page).press('Enter');
    await page.getByText('Delivered').waitFor();
    await close();
  });

  test('text is shown as text, wherever it comes from', async () => {
    const { page, line, close } = await openInbox();
    await arrive(harness, newPerson(), line.number.phone_number, SCRIPT);
    await conversationWith(page, SCRIPT).click();
    await page.getByRole('list').getByText(SCRIPT).last().waitFor();
    assert.equal(await page.title(), 'Desk');
    await close();
  });

  test('a session of another tenant shows nothing of this one', async () => {
    const { page, line, close, setSession, origin } = await openInbox();
    await arrive(harness, newPerson(), line.number.phone_number, 'Between us');
    await conversationWith(page, 'Between us').waitFor();
    const other = await makeTenant(harness);
    await buyNumber(harness, other);
    await page.evaluate('document.querySelector("dialplane-inbox").token = undefined');
    await setSession(await mintSession(harness, other, { allowed_origins: [origin] }));
    await page.getByText('No conversations yet').waitFor();
    assert.equal(await conversationWith(page, 'Between us').count(), 0);
    await close();
  });

  test('a session that ends is replaced by what renew returns, and the inbox goes on', async () => {
    const { page, line, session, origin, leave } = await openInbox();
    let renewals = 0;
    await page.exposeFunction('another', () => {
      renewals += 1;
      return mintSession(harness, line.tenantId, { allowed_origins: [origin] });
    });
    await page.evaluate('document.querySelector("dialplane-inbox").renew = () => another()');
    await harness.call('DELETE', `/v1/browser_sessions/${session.id}`);
    await until('the session is renewed', () => renewals > 0, 30_000);
    await page.getByText('Live', { exact: true }).waitFor();
    await arrive(harness, newPerson(), line.number.phone_number, 'Still there?');
    await conversationWith(page, 'Still there?').waitFor();
    // `leave` in place of `close`: the browser reports the refusal of the old token as an error of the page.
    await leave();
  });

  for (const renew of ['() => new Promise(() => undefined)', 'async () => undefined']) {
    test(`the inbox goes on after a renew that gives nothing: ${renew}`, async () => {
      const { page, line, session, origin, leave } = await openInbox();
      await page.clock.install();
      await page.exposeFunction('another', () => mintSession(harness, line.tenantId, { allowed_origins: [origin] }));
      await page.evaluate(`document.querySelector("dialplane-inbox").renew = ${renew}`);
      await harness.call('DELETE', `/v1/browser_sessions/${session.id}`);
      await page.getByText('Connecting…').waitFor();
      const refused = page.waitForResponse((reply) => reply.status() === 401);
      await page.clock.fastForward(1_000);
      await refused;
      await page.evaluate('document.querySelector("dialplane-inbox").renew = () => another()');
      // Moves the clock by the limit of a renewal, and by the longest pause between two attempts to connect.
      await page.clock.fastForward(15_000);
      await page.clock.fastForward(30_000);
      await page.getByText('Live', { exact: true }).waitFor();
      await arrive(harness, newPerson(), line.number.phone_number, 'Still there?');
      await conversationWith(page, 'Still there?').waitFor();
      await leave();
    });
  }

  test('an inbox that is moved in its page while it connects opens one socket', async () => {
    const line = await makeLine(harness);
    const { page, origin, setSession, close } = await openEmbed({ browser, harness, name: 'inbox' });
    const release = Promise.withResolvers<void>();
    const answered: Promise<unknown>[] = [];
    await page.route('**/v1/realtime/tokens', async (request) => {
      if (request.request().method() === 'POST') answered.push(release.promise);
      await release.promise;
      await request.continue();
    });
    let sockets = 0;
    page.on('websocket', () => void sockets++);
    await setSession(await mintSession(harness, line.tenantId, { allowed_origins: [origin] }));
    for (let moves = 0; moves < 2; moves++) {
      await page.evaluate('{ const it = document.querySelector("dialplane-inbox"); it.parentNode.append(it); }');
    }
    await until('three tokens are awaited', () => answered.length === 3);
    let replies = 0;
    page.on('requestfinished', (request) => {
      if (request.url().endsWith('/realtime/tokens') && request.method() === 'POST') replies++;
    });
    release.resolve();
    await until('three tokens were sent', () => replies === 3);
    await page.getByText('Live', { exact: true }).waitFor();
    await arrive(harness, newPerson(), line.number.phone_number, 'Only once');
    await conversationWith(page, 'Only once').waitFor();
    assert.equal(sockets, 1);
    await close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the inbox has no serious finding of axe, ${colorScheme} and narrow`, async () => {
      const { page, line, close } = await openInbox({ colorScheme, width: 380 });
      const [person, gone] = [newPerson(), newPerson()];
      await arrive(harness, gone, line.number.phone_number, 'STOP');
      await arrive(harness, person, line.number.phone_number, 'Hello');
      await conversationWith(page, 'Hello').waitFor();
      await checkAccess(page);
      await conversationWith(page, 'Hello').click();
      await textOf(page).fill('Hello yourself');
      await page.getByText('1 part').waitFor();
      await checkAccess(page);
      await page.getByRole('button', { name: 'Back to conversations' }).click();
      await conversationWith(page, 'Opted out').click();
      await page.getByText('asked to get no more texts').waitFor();
      await checkAccess(page);
      await close();
    });
  }
});
