/** Two people of a tenant on pages of a platform: their phones in a queue, and the inbox that they share. */
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccess } from '../support/accessibility.ts';
import { useBrowser, useReachableHarness } from '../support/browser.ts';
import { callIn, route } from '../support/calls.ts';
import { noChromium } from '../support/chromium.ts';
import { mintSession, openEmbed } from '../support/embeds.ts';
import { arrive, newPerson } from '../support/messages.ts';
import { type Line, makeLine } from '../support/numbers.ts';
import { makeWebClient } from '../support/web-clients.ts';

const harness = await useReachableHarness();
const browser = await useBrowser(harness);

describe('<dialplane-phone> of two colleagues', { skip: noChromium }, () => {
  async function openPhone(line: Line, name: string) {
    const { id } = await makeWebClient(harness, line.tenantId, name);
    const embed = await openEmbed({ browser, harness, name: 'phone', width: 420 });
    await embed.setSession(await mintSession(harness, line.tenantId, { web_client_id: id }));
    await embed.page.getByText('Ready').waitFor();
    return { ...embed, id };
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  test('a ring names the queue, a colleague sees who asks about whom, and the end says who has the customer', async () => {
    const line = await makeLine(harness);
    const [ann, ben] = [await openPhone(line, 'Ann'), await openPhone(line, 'Ben')];
    const body = { tenant_id: line.tenantId, name: 'Support', agents: [ann.id] };
    const { id: queue_id } = (await harness.call('POST', '/v1/queues', { body })).body;
    await route(harness, line, { open_behavior: { type: 'queue', queue_id } });
    const contact = { tenant_id: line.tenantId, name: 'Sam Ortiz', phone_numbers: ['+16025550143'] };
    await harness.call('POST', '/v1/contacts', { body: contact });
    await callIn(harness, line, { from: '+16025550143', script: 'wait 300' });
    await ann.page.getByText('Support: incoming call from Sam Ortiz').waitFor();
    await press(ann.page, 'Answer');
    await ann.page.getByRole('timer').waitFor();
    await press(ann.page, 'Transfer');
    await ann.page.getByRole('combobox', { name: 'Colleague' }).selectOption({ label: 'Ben' });
    await press(ann.page, 'Talk first');
    await ben.page.getByText('Ann wants to talk to you about Sam Ortiz').waitFor();
    await checkAccess(ben.page);
    await press(ben.page, 'Answer');
    await ben.page.getByText('Talking to Ann about Sam Ortiz').waitFor();
    await ann.page.getByText('Talking to Ben').waitFor();
    // Only the agent who has the call can transfer it.
    await ben.page.getByRole('button', { name: 'Transfer' }).waitFor({ state: 'detached' });
    await press(ann.page, 'Complete transfer');
    await ann.page.getByText('Sam Ortiz was transferred to Ben').waitFor();
    await ben.page.getByText('Connected with Sam Ortiz').waitFor();
    await ben.page.getByRole('button', { name: 'Transfer' }).waitFor();
    await press(ben.page, 'Hang up');
    await ben.page.getByText('Call with Sam Ortiz ended').waitFor();
    await Promise.all([ann.close(), ben.close()]);
  });
});

describe('<dialplane-inbox> of two colleagues', { skip: noChromium }, () => {
  test('each person chooses which conversations are shown, and changes of the other move them', async () => {
    const line = await makeLine(harness);
    const open = async (reader: string) => {
      const embed = await openEmbed({ browser, harness, name: 'inbox' });
      const abilities = ['conversations:read', 'conversations:write', 'messages:send', 'events:read'];
      await embed.setSession(await mintSession(harness, line.tenantId, { reader, abilities }));
      await embed.page.getByText('Live', { exact: true }).waitFor();
      return embed;
    };
    const [ann, bob] = [await open('ann'), await open('bob')];
    const talk = (page: Page, text: string) => page.getByRole('button', { name: text });
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
    const listed = async (page: Page, filter: string, ...texts: string[]) => {
      await page.getByRole('combobox', { name: 'Conversations shown' }).selectOption({ label: filter });
      for (const text of ['Is Biscuit ready?', 'And Pepper?']) {
        await talk(page, text).waitFor({ state: texts.includes(text) ? 'visible' : 'detached' });
      }
    };
    await arrive(harness, newPerson(), line.number.phone_number, 'Is Biscuit ready?');
    await talk(ann.page, 'Is Biscuit ready?').click();
    await press(ann.page, 'Take it');
    await press(ann.page, 'Mark as done');
    await ann.page.getByRole('button', { name: 'Open again' }).waitFor();
    await arrive(harness, newPerson(), line.number.phone_number, 'And Pepper?');
    await listed(bob.page, 'Done', 'Is Biscuit ready?');
    await listed(bob.page, 'New for me', 'Is Biscuit ready?', 'And Pepper?');
    await listed(bob.page, 'Mine');
    await bob.page.getByText('No such conversation.').waitFor();
    await listed(bob.page, 'Of nobody', 'And Pepper?');
    await checkAccess(bob.page);
    await listed(ann.page, 'Open', 'And Pepper?');
    await talk(ann.page, 'And Pepper?').click();
    await press(ann.page, 'Take it');
    await talk(bob.page, 'And Pepper?').waitFor({ state: 'detached' });
    await listed(ann.page, 'Mine', 'And Pepper?');
    await listed(ann.page, 'New for me');
    await listed(bob.page, 'All conversations', 'Is Biscuit ready?', 'And Pepper?');
    await Promise.all([ann.close(), bob.close()]);
  });

  test('an inbox of no one in particular shows all conversations', async () => {
    const line = await makeLine(harness);
    const embed = await openEmbed({ browser, harness, name: 'inbox' });
    await embed.setSession(await mintSession(harness, line.tenantId));
    await embed.page.getByText('Live', { exact: true }).waitFor();
    await embed.page.getByRole('combobox', { name: 'Conversations shown' }).waitFor({ state: 'detached' });
    await embed.close();
  });
});
