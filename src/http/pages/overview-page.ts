import type { Context } from '../../context.ts';
import { type Html, html } from '../../lib/http/html.ts';
import type { RoutePlugin } from '../edge/types.ts';
import { policyOf, RATE_OF_KEY } from '../limits/rate-limit.ts';
import { sendPage } from '../site/layout.ts';

/** /docs: the product, a first request, and links to more pages. */
export const overviewPage: RoutePlugin = (app, context) => {
  for (const path of ['/', '/docs/']) {
    app.get(path, { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs', 308));
  }
  app.get('/docs', { schema: { hide: true } }, (_request, reply) =>
    sendPage(reply, 200, { title: 'A phone service inside your platform', content: content(context) }),
  );
};

function content({ settings }: Pick<Context, 'settings'>): Html {
  const { publicUrl } = settings;
  return html`<p class="lead">Dialplane gives each customer of a software platform (a <em>tenant</em>) phone numbers,
texts and calls, over one JSON API. Numbers, conversations, opt-outs and events belong to tenants; one account has any
number of tenants.</p>
<h2 id="start">First request</h2>
<div class="code"><pre tabindex="0"><code>curl ${publicUrl}/v1/tenants \\
  -H "Authorization: Bearer $DIALPLANE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Desert Dental"}'</code></pre></div>
<p>A key that begins with <code>svc_test_</code> talks to a simulated carrier: numbers are free and available
immediately, nothing leaves the machine, and the clock can be moved. One that begins with <code>svc_live_</code> talks to
the real network. The two share no data. Keep keys on a server; browsers get tokens.</p>
<p><a class="go" href="/docs/quickstart">Send a first text</a> <a class="go" href="/docs/api">Open the API reference</a></p>
<h2 id="guides">Guides</h2>
<div class="cards">${CARDS.map(card)}</div>
<h2 id="rules">Rules of every operation</h2>
<ul>
<li><strong>Lists</strong> take <code>limit</code> (1 to 100, by default 25) and <code>after</code>, the
<code>next_cursor</code> of the page before.</li>
<li><strong>Repeats</strong>: send an <code>Idempotency-Key</code> with a POST, and a repeat within 24 hours gets the
first answer instead of a second effect.</li>
<li><strong>Rate</strong>: 20 requests a second for each key, in bursts up to 60
(<code>RateLimit-Policy: ${policyOf(RATE_OF_KEY)}</code>). The reply to a refused request says in <code>Retry-After</code>
when to send it again.</li>
<li><strong>Errors</strong> share one shape; <a href="/docs/errors">each code has a page</a>.</li>
<li><strong>Events</strong> are sent as signed webhooks and over a socket; <a href="/docs/events">all types are here</a>.</li>
</ul>
<p>Programs read the <a href="/v1/openapi.json">OpenAPI document</a>, <a href="/llms.txt">llms.txt</a>, <a
href="/llms-full.txt">all pages as one text</a>, and each page as
Markdown: add <code>.md</code> to its address.</p>`;
}

/** The links to more pages. Each has a page and the question that the page answers. */
const CARDS = [
  ['messaging', 'Texts', 'Two-way texts with media, opt-outs, segments, schedules and states.'],
  ['numbers', 'Numbers', 'Search, buy, port in, emergency addresses.'],
  ['compliance', '10DLC', 'Brands and campaigns, and what reviewers reject.'],
  ['voice', 'Calls', 'Click-to-call, hours, ring groups, voicemail, keys.'],
  ['voice-agents', 'Voice agents', 'Software that listens and speaks over a WebSocket.'],
  ['web-clients', 'Web clients', 'A telephone in your page.'],
  ['webhooks', 'Webhooks', 'Signed events in order, and the realtime socket.'],
  ['test-mode', 'Testing', 'Move the clock, play the other phone, cause faults.'],
  ['going-live', 'Going live', 'From test keys to the first live text.'],
] as const;

function card([slug, title, text]: (typeof CARDS)[number]): Html {
  return html`<a class="card" href="/docs/${slug}"><strong>${title}</strong><span>${text}</span></a>
`;
}
