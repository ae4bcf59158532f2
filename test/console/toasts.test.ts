/** Short messages about finished actions: they take no button away from the person. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, ViewportSize } from 'playwright-core';
import { checkAccess } from '../support/accessibility.ts';
import { useReceiver } from '../support/receiver.ts';
import { fillLedger } from './support/believable.ts';
import { useConsole } from './support/open-console.ts';
import { follow, settled, watchRequests } from './support/places.ts';

const { skip, open, sender } = await useConsole();
const ids = skip === false ? await fillLedger(sender(), (await useReceiver()).url) : {};

/** How long the page shows a message. */
const SHOWN_MS = 6_000;
const WIDE = { width: 1280, height: 800 };
const FOLDED = { width: 1024, height: 768 };
const PHONE = { width: 390, height: 844 };

const MESSAGE = 'The server does not answer';
const messages = (page: Page) => page.getByRole('status').getByText(MESSAGE);

/**
 * Asks for a part of the frame, whose file the server does not send. Returns what lets the request fail: then the page
 * shows a message. It does so on every page, and while a window is open.
 */
async function askForMessage(page: Page): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const file = /\/assets\/user-menu-/;
  await page.route(file, async (route) => {
    await promise;
    await route.abort();
  });
  const asked = page.waitForRequest(file);
  await page.getByRole('button', { name: 'Your menu' }).click();
  await asked;
  return async () => {
    resolve();
    await messages(page).waitFor();
    await page.unroute(file);
  };
}

/** Opens a page whose messages stay until they are closed, so that a busy machine has the time to look. */
async function openPage(path: string, viewport: ViewportSize): Promise<Page> {
  const page = await open('usage', { viewport, isAlone: true });
  await page.addInitScript((shownMs) => {
    const { setTimeout: start } = globalThis;
    const kept = (run: TimerHandler, ms?: number, ...rest: unknown[]) => (ms === shownMs ? 0 : start(run, ms, ...rest));
    Object.assign(globalThis, { setTimeout: kept });
  }, SHOWN_MS);
  await page.goto(page.url().replace(/usage$/, path));
  const quiet = watchRequests(page);
  await settled(page);
  await quiet();
  return page;
}

/** Marks the buttons, links and fields that a click in their middle reaches. Returns their number. */
function markReachable(page: Page): Promise<number> {
  return page.evaluate(() => {
    const marked = [...document.querySelectorAll('button, a[href], label, input, textarea, select')].filter((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      // A label stands for its hidden field.
      return width > 2 && hit !== null && node.contains(hit);
    });
    for (const node of document.querySelectorAll('[data-reachable]')) node.removeAttribute('data-reachable');
    for (const node of marked) {
      node.setAttribute('data-reachable', String(Math.round(node.getBoundingClientRect().y)));
    }
    return marked.length;
  });
}

/** Returns the marked controls that are below a message now, and those that the frame or a window has lost. */
function readCovered(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    return [...document.querySelectorAll('[data-reachable]')].flatMap((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      const middle = { x: x + width / 2, y: y + height / 2 };
      const hit = document.elementFromPoint(middle.x, middle.y);
      // The navigation has its own edge, and is scrolled.
      const edge = node.closest('[class*=side]')?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY;
      const isCovered = middle.y < edge && hit?.closest('[role=status]') != null;
      const isLost = hit === null && node.closest('header, [role=dialog], [class*=inbox]') !== null;
      const name = `${node.getAttribute('aria-label')} ${node.textContent} ${node.outerHTML.slice(0, 120)}`;
      return isCovered || isLost
        ? [`${name} ${Math.round(y)} to ${Math.round(y + height)} px, was at ${node.getAttribute('data-reachable')} px`]
        : [];
    });
  });
}

/** The pages with most controls at the edges of the window. */
const PAGES = [`inbox/${ids['inbox']}`, `routing/${ids['routing']}`, 'messages'];
/** How far the pages are scrolled, if they are longer than the window. */
const SCROLLED_PX = 200;

for (const viewport of [WIDE, FOLDED, PHONE]) {
  test(`a message covers no button, link or field of a page in ${viewport.width} px`, { skip }, async () => {
    const page = await openPage('usage', viewport);
    const quiet = watchRequests(page);
    const base = new URL(page.url()).pathname.replace(/usage$/, '');
    for (const path of PAGES) {
      await follow(page, `${base}${path}`);
      await settled(page);
      await quiet();
      const showMessage = await askForMessage(page);
      await page.evaluate((to) => scrollTo(0, to), SCROLLED_PX);
      assert.ok((await markReachable(page)) > 5);
      await showMessage();
      assert.deepEqual(await readCovered(page), [], path);
      const box = await messages(page).boundingBox();
      assert.ok(box !== null && box.y >= 0 && box.y + box.height <= viewport.height, `${path}: out of view`);
      await page.getByRole('status').getByRole('button').click();
      await messages(page).waitFor({ state: 'detached' });
    }
  });
}

/**
 * Lets no request reach the server, and has the page read its data again, as it does when the person returns to it. The
 * message that says so stays until the server answers.
 */
async function loseServer(page: Page): Promise<void> {
  await page.route(/\/(v1|console\/api)\//, (route) => route.abort());
  await page.evaluate(`{
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
    dispatchEvent(new Event('visibilitychange'));
  }`);
  await messages(page).waitFor();
}

for (const viewport of [WIDE, PHONE]) {
  test(`the bar of an absent server covers no button, link or field in ${viewport.width} px`, { skip }, async () => {
    for (const path of PAGES) {
      const page = await openPage(path, viewport);
      await page.evaluate((to) => scrollTo(0, to), SCROLLED_PX);
      assert.ok((await markReachable(page)) > 5);
      await loseServer(page);
      assert.deepEqual(await readCovered(page), [], path);
      const box = await messages(page).boundingBox();
      assert.ok(box !== null && box.y >= 0 && box.y + box.height <= viewport.height, `${path}: out of view`);
    }
  });

  test(`the bar of an absent server covers no part of a window in ${viewport.width} px`, { skip }, async () => {
    const page = await openPage('tenants', viewport);
    await page.getByRole('button', { name: 'New tenant' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New tenant' });
    await dialog.waitFor();
    assert.ok((await markReachable(page)) > 3);
    await loseServer(page);
    assert.deepEqual(await readCovered(page), []);
    await dialog.getByRole('status').getByText(MESSAGE).waitFor();
    await page.unroute(/\/(v1|console\/api)\//);
    await messages(page).waitFor({ state: 'detached' });
  });

  test(`a message in ${viewport.width} px covers no button of a window above the page, and is part of it`, {
    skip,
  }, async () => {
    const page = await openPage('tenants', viewport);
    const showMessage = await askForMessage(page);
    await page.getByRole('button', { name: 'New tenant' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New tenant' });
    await dialog.waitFor();
    assert.ok((await markReachable(page)) > 3);
    await showMessage();
    assert.deepEqual(await readCovered(page), []);
    await dialog.getByRole('status').getByText(MESSAGE).waitFor();
    assert.equal(await messages(page).count(), 1);
    await checkAccess(page, '[role=dialog]');
    // The message stays when its window closes.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await messages(page).waitFor();
    assert.deepEqual(await readCovered(page), []);
  });
}
