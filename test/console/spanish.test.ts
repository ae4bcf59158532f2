/** The console in the language of the browser, or in the one that the person chose. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccess } from '../support/accessibility.ts';
import { useConsole } from './support/open-console.ts';

const { skip, open, sender } = await useConsole();

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
