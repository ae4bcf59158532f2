import { type Html, html } from '../../lib/http/html.ts';
import type { RoutePlugin } from '../edge/types.ts';
import type { EventDescription } from '../openapi/webhooks.ts';
import { sendPage } from '../site/layout.ts';
import { EVENT_SOCKET_REASONS } from '../sockets/close-codes.ts';

export type EventPageOptions = {
  readonly events: readonly EventDescription[];
  readonly eventVersion: string;
};

/** /docs/events: every event type, the envelope, and both ways to receive events. */
export function createEventPage(options: EventPageOptions): RoutePlugin {
  return (app) => {
    app.get('/docs/events', { schema: { hide: true } }, (_request, reply) =>
      sendPage(reply, 200, { title: 'Event types', content: content(options), slug: 'events' }),
    );
  };
}

function content({ events, eventVersion }: EventPageOptions): Html {
  const example = {
    id: 'evt_…',
    object: 'event',
    type: 'message.delivered',
    event_version: eventVersion,
    created_at: '2026-11-20T17:00:00.000Z',
    tenant_id: 'tnt_…',
    resource_id: 'msg_…',
    sequence: 1,
    data: { object: 'message', id: 'msg_…' },
  };
  const types = events.map(
    ({ type, summary }) => html`<tr><th scope="row"><code>${type}</code></th><td>${summary}</td></tr>
`,
  );
  return html`<h2 id="types">Types</h2>
<div class="table"><table>
<thead><tr><th scope="col">Type</th><th scope="col">When</th></tr></thead>
<tbody>
${types}</tbody>
</table></div>
<h2 id="envelope">Envelope</h2>
<p>Webhooks and the realtime socket carry the same JSON. <code>id</code> stays the same over retries, so it identifies
repeats; <code>sequence</code> counts the events of one resource from 1; <code>data</code> is the whole resource;
<code>tenant_id</code> is null for events of the account itself.</p>
<pre><code>${JSON.stringify(example, null, 2)}</code></pre>
${webhooks()}
${realtime()}`;
}

function webhooks(): Html {
  return html`<h2 id="webhooks">Webhooks</h2>
<p>The durable way. Each endpoint gets a resource's events in order. Each event is sent again until the endpoint
answers 2xx. Check
<code>Service-Signature: t=…,v1=…</code>: <code>v1</code> is the hexadecimal HMAC-SHA256 of
<code>{t}.{raw body}</code> under the endpoint's secret. Compare in constant time and refuse a <code>t</code> more than
five minutes away. The headers of Standard Webhooks are sent beside it.</p>`;
}

function realtime(): Html {
  const codes = EVENT_SOCKET_REASONS.map(
    ([code, reason]) => html`<tr><th scope="row">${code}</th><td>${reason}</td></tr>
`,
  );
  return html`<h2 id="realtime">Realtime socket</h2>
<p>The fast way, for user interfaces. Your server mints a token with <code>POST /v1/realtime/tokens</code>; the browser
connects to the <code>url</code> of the reply with <code>?token=…</code>. Each message is one envelope, sent the moment
it is committed. A token of a key that belongs to one tenant carries that tenant's events only. Events that happen while
no client is connected are not sent later: after a connect, read the current state from the API. The token expires after
one hour and the socket closes then; mint another token and connect again. The server pings every 30 seconds.</p>
<p>The socket closes with one of these codes:</p>
<div class="table"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Reason</th></tr></thead>
<tbody>
${codes}</tbody>
</table></div>`;
}
