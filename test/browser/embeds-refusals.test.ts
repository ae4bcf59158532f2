/** What the inbox and the phone say when the server refuses their session, on a page of another origin. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { useBrowser, useReachableHarness } from '../support/browser.ts';
import { noChromium } from '../support/chromium.ts';
import { mintSession, openEmbed } from '../support/embeds.ts';
import { makeLine } from '../support/numbers.ts';
import { makeWebClient } from '../support/web-clients.ts';

const harness = await useReachableHarness();
const browser = await useBrowser(harness);

/**
 * Starts a proxy of the installation that drops the headers for pages of other origins from the replies of the API. An
 * interception by the browser's driver would add them again.
 */
async function startProxy(): Promise<{ url: string; close(): void }> {
  const server = createServer(async ({ method = 'GET', url = '/', headers }, reply) => {
    const { authorization, origin } = headers;
    const asked = headers['access-control-request-method'];
    const sent = { origin, authorization, 'access-control-request-method': asked };
    const given = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const response = await fetch(`${harness.url}${url}`, { method, headers: given });
    const kept = [...response.headers].filter(
      ([name]) => !/^(connection|content-(encoding|length)|transfer-)/.test(name),
    );
    const isHidden = method !== 'OPTIONS' && url.startsWith('/v1/');
    reply.writeHead(
      response.status,
      Object.fromEntries(kept.filter(([name]) => !isHidden || name !== 'access-control-allow-origin')),
    );
    reply.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const LANGUAGES = {
  en: {
    origin: (origin: string) => `This browser session is not for pages of ${origin}: its allowed_origins name others.`,
    hidden: (origin: string) => `The server answers, but pages of ${origin} may not read its answers.`,
    ended: 'The session has ended or is not valid. Load this page again to continue.',
    live: 'Live',
  },
  es: {
    origin: (origin: string) => `Esta sesión no es para páginas de ${origin}: sus orígenes permitidos son otros.`,
    hidden: (origin: string) => `El servidor responde, pero las páginas de ${origin} no pueden leer sus respuestas.`,
    ended: 'La sesión terminó o no es válida. Vuelva a cargar esta página para continuar.',
    live: 'En vivo',
  },
} as const;

for (const [lang, texts] of Object.entries(LANGUAGES)) {
  describe(`a refused session in the language ${lang}`, { skip: noChromium }, () => {
    const openInbox = () => openEmbed({ browser, harness, name: 'inbox', lang });

    test('an inbox whose origin the session does not allow says so', async () => {
      const { tenantId } = await makeLine(harness);
      const { page, origin, setSession, leave } = await openInbox();
      await setSession(await mintSession(harness, tenantId, { allowed_origins: ['https://other.example'] }));
      await page.getByRole('alert').getByText(texts.origin(origin), { exact: true }).waitFor();
      await leave();
    });

    test('an inbox says so too if the browser hides the refusal from the page', async () => {
      const { tenantId } = await makeLine(harness);
      const proxy = await startProxy();
      const options = { browser, harness, name: 'inbox', lang, baseUrl: proxy.url } as const;
      const { page, origin, setSession, leave } = await openEmbed(options);
      await setSession(await mintSession(harness, tenantId, { allowed_origins: ['https://other.example'] }));
      await page.getByRole('alert').getByText(texts.hidden(origin)).waitFor();
      await leave();
      proxy.close();
    });

    test('an inbox whose session ends says what to do, until it has another session', async () => {
      const { tenantId } = await makeLine(harness);
      const { page, origin, setSession, leave } = await openInbox();
      const session = await mintSession(harness, tenantId, { allowed_origins: [origin] });
      await setSession(session);
      await page.getByText(texts.live, { exact: true }).waitFor();
      // Without `renew` an element waits for its page this long before it reports the refusal.
      await page.clock.install();
      const refused = page.waitForResponse((reply) => reply.status() === 401);
      await harness.call('DELETE', `/v1/browser_sessions/${session.id}`);
      const alert = page.getByRole('alert').getByText(texts.ended, { exact: true });
      await page.clock.fastForward(1_000);
      await refused;
      await page.clock.fastForward(15_000);
      await alert.waitFor();
      await setSession(await mintSession(harness, tenantId, { allowed_origins: [origin] }));
      await page.clock.fastForward(30_000);
      await page.getByText(texts.live, { exact: true }).waitFor();
      await alert.waitFor({ state: 'detached' });
      await leave();
    });

    test('a phone whose session has ended says what to do', async () => {
      const { tenantId } = await makeLine(harness);
      const { id } = await makeWebClient(harness, tenantId);
      const session = await mintSession(harness, tenantId, { web_client_id: id });
      assert.equal((await harness.call('DELETE', `/v1/browser_sessions/${session.id}`)).status, 204);
      const { page, setSession, leave } = await openEmbed({ browser, harness, name: 'phone', lang });
      await setSession(session);
      await page.getByText(texts.ended, { exact: true }).waitFor();
      await leave();
    });
  });
}
