/** The language of the inbox and of the phone for pages of a platform. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccess } from '../support/accessibility.ts';
import { useBrowser, useReachableHarness } from '../support/browser.ts';
import { callIn, ringing, route } from '../support/calls.ts';
import { noChromium } from '../support/chromium.ts';
import { mintSession, openEmbed } from '../support/embeds.ts';
import { until } from '../support/jobs.ts';
import { talkLonger } from '../support/late-answers.ts';
import { arrive, newPerson } from '../support/messages.ts';
import { makeLine } from '../support/numbers.ts';
import { makeWebClient } from '../support/web-clients.ts';

const harness = await useReachableHarness();
const browser = await useBrowser(harness);
// A page on a busy machine may take longer than people talk.
if (noChromium === false) await talkLonger(harness.context.db);

/** Fails unless each of the texts is on the page, or appears in time. */
async function shows(page: Page, ...texts: string[]): Promise<void> {
  for (const text of texts) await page.getByText(text, { exact: true }).first().waitFor({ state: 'attached' });
}

const click = (page: Page, name: string) => page.getByRole('button', { name }).click();

describe('the language of <dialplane-inbox>', { skip: noChromium }, () => {
  async function openInbox(options: object) {
    const line = await makeLine(harness);
    const embed = await openEmbed({ browser, harness, name: 'inbox', ...options });
    const abilities = ['conversations:read', 'conversations:write', 'messages:send', 'events:read'];
    const limits = { allowed_origins: [embed.origin], reader: 'ana', abilities };
    await embed.setSession(await mintSession(harness, line.tenantId, limits));
    return { ...embed, line };
  }

  test('with language="es" all that a person reads or hears is Spanish, on an English page too', async () => {
    const { page, line, close } = await openInbox({ attributes: 'language="es"' });
    await shows(page, 'Conversaciones', 'En vivo', 'Elija una conversación.');
    await page.getByText('Todavía no hay conversaciones.').waitFor();
    const person = newPerson();
    await arrive(harness, person, line.number.phone_number, 'Is Biscuit ready?');
    await page.getByText(/^Mensaje nuevo de .*: Is Biscuit ready\?$/).waitFor({ state: 'attached' });
    await shows(page, 'Sin leer');
    await click(page, 'Is Biscuit ready?');
    await shows(page, 'Hoy', 'La otra persona escribió:', 'Nadie la atiende');
    await click(page, 'Atender');
    await shows(page, 'La atiende ana');
    await click(page, 'Escribir una nota');
    await page.getByRole('textbox', { name: 'Nota para el equipo, no se envía' }).fill('Biscuit muerde.');
    await click(page, 'Guardar nota');
    await shows(page, 'Nota de ana');
    const text = page.getByRole('textbox', { name: 'Mensaje', exact: true });
    await text.fill('Hola.');
    await shows(page, '1 parte · 5 de 1,600 caracteres');
    await text.fill('Sí…');
    await shows(page, '1 parte, con caracteres especiales · 3 de 1,600 caracteres');
    await checkAccess(page);
    await click(page, 'Enviar');
    await page.getByText('· Entregado').waitFor();
    await arrive(harness, person, line.number.phone_number, 'STOP');
    await page.getByText('Esta persona pidió no recibir más mensajes.').waitFor();
    await shows(page, 'Se dio de baja');
    await callIn(harness, line, { from: newPerson() });
    await page.locator('.preview', { hasText: /^(Llamada|Mensaje de voz, )/ }).waitFor();
    await close();
  });

  test('a refusal is said in Spanish, and stays on the screen in the language that is chosen next', async () => {
    const { page, element, close } = await openInbox({ attributes: 'language="es"' });
    await click(page, 'Mensaje nuevo');
    await page.getByRole('textbox', { name: 'Para' }).fill('123');
    await page.getByRole('textbox', { name: 'Mensaje', exact: true }).fill('Hola');
    await shows(page, 'Este no es un número al que se pueda escribir o llamar.');
    await element.evaluate((it) => it.setAttribute('language', 'en'));
    await page.getByText('The destination is not an E.164 number').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue(), 'Hola');
    await close();
  });

  test('the language follows its attribute, then the page, and then the browser, at once', async () => {
    const { page, element, close } = await openInbox({ lang: '', locale: 'es-MX' });
    const set = (code: string) => page.evaluate(`{ const it = document.querySelector('dialplane-inbox'); ${code} }`);
    await shows(page, 'Conversaciones');
    assert.equal(await element.locator('.inbox').getAttribute('lang'), 'es');
    await set('document.documentElement.lang = "en"');
    await shows(page, 'Conversations');
    await set('it.parentNode.lang = "es-US"');
    await shows(page, 'Conversaciones');
    await set('it.language = "en"');
    await shows(page, 'Conversations');
    await set('it.removeAttribute("language"); it.language = undefined');
    await shows(page, 'Conversaciones');
    await set('it.parentNode.lang = "fr"');
    await shows(page, 'Conversations');
    assert.equal(await element.locator('.inbox').getAttribute('lang'), 'en');
    await close();
  });

  test('what people write has the direction of its own language', async () => {
    const { page, line, close } = await openInbox({ attributes: 'language="es"' });
    await arrive(harness, newPerson(), line.number.phone_number, 'مرحبا');
    await click(page, 'مرحبا');
    const directionOf = (place: string) =>
      page.locator(place).evaluate((it) => getComputedStyle(it as never).direction as string);
    await page.locator('p.text').waitFor();
    assert.deepEqual([await directionOf('p.text'), await directionOf('.preview')], ['rtl', 'rtl']);
    await page.locator('#text').fill('Hola');
    assert.equal(await directionOf('#text'), 'ltr');
    await close();
  });

  test('an element in the shadow tree of a component has the language that the page states around it', async () => {
    const { page, close } = await openInbox({});
    await shows(page, 'Conversations');
    await page.evaluate(`{
      const it = document.querySelector('dialplane-inbox');
      const frame = document.createElement('div');
      it.parentNode.append(frame);
      frame.attachShadow({ mode: 'open' }).append(it);
      globalThis.frame = frame;
    }`);
    // After the move the page reads its data and draws it again. The test waits for that.
    await shows(page, 'Live');
    await page.getByText('No conversations yet.').waitFor();
    await page.evaluate('{ frame.lang = "es"; }');
    await shows(page, 'Conversaciones');
    await close();
  });
});

describe('the language of <dialplane-phone>', { skip: noChromium }, () => {
  async function openPhone(options: object, fields: object = {}) {
    const line = await makeLine(harness);
    const { id } = await makeWebClient(harness, line.tenantId);
    await route(harness, line, { open_behavior: ringing([id]) });
    const embed = await openEmbed({ browser, harness, name: 'phone', width: 420, ...options });
    await shows(embed.page, 'Esperando una sesión.');
    await embed.setSession(await mintSession(harness, line.tenantId, { web_client_id: id, ...fields }));
    await shows(embed.page, 'Listo');
    return { ...embed, line };
  }

  test('in a Spanish browser, on a page that states no language, the phone is Spanish through a call', async () => {
    const { page, line, element, close } = await openPhone({ lang: '', locale: 'es-MX', attributes: 'notify' });
    await shows(page, 'Teléfono', 'Número', 'Sonido');
    await callIn(harness, line, { from: '+16025550143' });
    await page.getByText('Llamada entrante de').waitFor();
    const isTitled = (text: string) => until(`the title is ${text}`, async () => (await page.title()) === text);
    await isTitled('Llamada entrante de (602) 555-0143');
    await element.evaluate((it) => it.setAttribute('language', 'en'));
    await isTitled('Incoming call from (602) 555-0143');
    await element.evaluate((it) => it.setAttribute('language', 'es'));
    await click(page, 'Contestar');
    await page.getByRole('timer', { name: 'Duración de la llamada' }).waitFor();
    await page.getByText('En llamada con').waitFor();
    await shows(page, 'Silenciar', 'En espera');
    await click(page, 'Teclado');
    await page.getByRole('group', { name: 'Teclado' }).waitFor();
    await click(page, 'Transferir');
    await page.getByRole('textbox', { name: 'Transferir a' }).waitFor();
    await click(page, 'Colgar');
    await page.getByText(/^Terminó la llamada con \(602\) 555-0143, 0:\d\d$/).waitFor();
    await isTitled('Desk');
    await close();
  });

  test('with language="es" what the session may not do is said in Spanish', async () => {
    const { page, close } = await openPhone({ attributes: 'language="es"' }, { abilities: ['phone'] });
    await page.getByRole('textbox', { name: 'Número de emergencia (911)' }).fill('6025552999');
    await click(page, 'Llamar');
    await shows(page, 'Esta página no puede hacer llamadas. Siempre se puede llamar al 911.');
    await checkAccess(page);
    await close();
  });
});
