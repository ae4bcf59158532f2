/** The console in the language of the browser, or in the language that the person chose. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccess } from '../support/accessibility.ts';
import { until } from '../support/jobs.ts';
import { talkLonger } from '../support/late-answers.ts';
import { isEnglish, readTexts } from './support/english.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount, pick } from './support/own-account.ts';

const console = await useConsole();
const { skip, open, sender } = console;

const language = (page: Page) => page.evaluate('document.documentElement.lang');
const scripts = (page: Page) =>
  page.evaluate('performance.getEntriesByType("resource").map(({ name }) => name)') as Promise<string[]>;

test('a browser in Spanish has the console in Spanish, with its dates and figures', { skip }, async () => {
  const page = await open('', { locale: 'es-MX' });
  await page.getByRole('heading', { name: 'Resumen', level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Primeros pasos' }).waitFor();
  assert.equal(await language(page), 'es');
  await checkAccess(page);
});

test('the language of the menu is kept, and English readers load no other table', { skip }, async () => {
  const page = await open('', { isAlone: true });
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.equal(await language(page), 'en');
  const inEnglish = await scripts(page);
  const tables = inEnglish.filter((name) => /\/es-[^/]*\.js$/.test(name));
  assert.deepEqual(tables, []);
  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByRole('menuitem', { name: 'Español' }).click();
  await page.getByRole('heading', { name: 'Resumen', level: 1 }).waitFor();
  assert.equal(await language(page), 'es');
  assert.equal((await scripts(page)).filter((name) => /\/es-[^/]*\.js$/.test(name)).length, 1);
  await page.reload();
  await page.getByRole('heading', { name: 'Resumen', level: 1 }).waitFor();
});

test('refusals of the API are in Spanish at their fields', { skip }, async () => {
  await sender()('POST', '/v1/tenants', { name: 'Saguaro Dental', external_ref: 'crm-4711' });
  const page = await open('tenants', { locale: 'es-MX' });
  await page.getByRole('button', { name: 'Empresa nueva' }).click();
  const form = page.getByRole('dialog');
  const send = () => form.getByRole('button', { name: 'Crear la empresa' }).click();
  await send();
  await form.getByText('Este dato es obligatorio.').waitFor();
  await form.getByRole('textbox', { name: 'Nombre' }).fill('x'.repeat(201));
  await send();
  await form.getByText('Debe tener como máximo 200 caracteres.').waitFor();
  await form.getByRole('textbox', { name: 'Nombre' }).fill('Otra');
  await form.getByRole('textbox', { name: 'Su referencia' }).fill('crm-4711');
  await send();
  await form.getByText('Otra empresa, u otro contacto de la empresa, tiene esta referencia.').waitFor();
});

test('the windows of a new routing, of a call and of a transfer, their pickers and their messages are in Spanish', {
  skip,
}, async () => {
  // The call must last until its window was read.
  await talkLonger(console.harness.context.db);
  const desk = await makeOwnAccount(console);
  // The usual name of this tenant would be an English text.
  await desk.send('PATCH', `/v1/tenants/${desk.line.tenantId}`, { name: 'Clínica Saguaro' });
  const page = await open('routing', { account: desk.account, locale: 'es-MX' });
  const said = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();
  const checkTexts = async (of: string) => {
    const found = (await readTexts(page)).filter(isEnglish);
    assert.deepEqual(found, [], of);
  };
  const show = async (button: string, picker: string) => {
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await page.getByRole('dialog').getByRole('combobox', { name: picker }).click();
    await page.getByRole('option').first().waitFor();
    await checkTexts(button);
  };
  await show('Enrutamiento nuevo', 'Empresa');
  await page.getByRole('option').first().click();
  await page.getByRole('textbox', { name: 'Nombre' }).fill('Mostrador');
  await page.getByRole('textbox', { name: 'Timbra a' }).fill('+16025550143');
  await page.getByRole('button', { name: 'Crearlo' }).click();
  await said('Se creó Mostrador. Asígnelo a un número para usarlo.');
  await checkTexts('the page of the routing');
  await page.getByRole('navigation').getByRole('link', { name: 'Llamadas', exact: true }).click();
  await show('Llamada nueva', 'De');
  await pick(page, 'De', desk.line.number.phone_number.slice(-4));
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Para' }).fill('(602) 555-0143');
  await dialog.getByRole('textbox', { name: 'Su teléfono' }).fill('(602) 555-0120');
  await dialog.getByRole('button', { name: 'Llamar', exact: true }).click();
  await said('(602) 555-0120 está timbrando.');
  const transfer = page.getByRole('button', { name: 'Transferir', exact: true });
  await until('both have answered', async () => {
    await desk.own.advance(3);
    return await transfer.isVisible();
  });
  await transfer.click();
  await dialog.getByRole('textbox', { name: 'Para' }).waitFor();
  await checkTexts('the window of a transfer');
  await dialog.getByRole('textbox', { name: 'Para' }).fill('nobody');
  await dialog.getByRole('button', { name: 'Transferir' }).click();
  await dialog.locator('[aria-invalid=true]').waitFor();
  await checkTexts('the refusal of a transfer');
});
