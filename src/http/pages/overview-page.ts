import type { Context } from '../../context.ts';
import { type Html, html } from '../../lib/html.ts';
import type { Api, RoutePlugin } from '../edge/types.ts';
import { RATE_LIMIT_POLICY } from '../limits/rate-limit.ts';
import { sendPage } from './layout.ts';

/** /docs: what the product is, a first request, and every operation of this version. */
export const overviewPage: RoutePlugin = (app, context) => {
  for (const path of ['/', '/docs/']) {
    app.get(path, { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs', 308));
  }
  app.get('/docs', { schema: { hide: true } }, (_request, reply) =>
    sendPage(reply, 200, 'A phone service inside your platform', content(app, context)),
  );
};

type Operation = { method: string; path: string; tag: string; summary: string };

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

function operationsOf(app: Api): Operation[] {
  const document = app.swagger() as {
    paths?: Record<string, Partial<Record<string, { tags?: string[]; summary?: string }>>>;
  };
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      return [
        { method: method.toUpperCase(), path, tag: operation.tags?.[0] ?? 'Other', summary: operation.summary ?? '' },
      ];
    }),
  );
}

function content(app: Api, { settings }: Pick<Context, 'settings'>): Html {
  const { publicUrl } = settings;
  return html`<p>Dialplane gives each customer of a software platform (a <em>tenant</em>) phone numbers, texts and calls,
over one JSON API. Numbers, conversations, opt-outs and events belong to tenants; one account has any number of
tenants.</p>
<h2 id="start">First request</h2>
<pre><code>curl ${publicUrl}/v1/tenants \\
  -H "Authorization: Bearer $DIALPLANE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Desert Dental"}'</code></pre>
<p>A key that begins with <code>svc_test_</code> talks to a simulated carrier: numbers are free and available
immediately, nothing leaves the machine, and the clock can be moved. One that begins with <code>svc_live_</code> talks to the real network.
The two share no data. Keep keys on a server; browsers get tokens.</p>
<h2 id="rules">Rules of every operation</h2>
<ul>
<li><strong>Lists</strong> take <code>limit</code> (1 to 100, by default 25) and <code>after</code>, the
<code>next_cursor</code> of the page before.</li>
<li><strong>Repeats</strong>: send an <code>Idempotency-Key</code> with a POST, and a repeat within 24 hours gets the
first answer instead of a second effect.</li>
<li><strong>Rate</strong>: 20 requests a second for each key, in bursts up to 60
(<code>RateLimit-Policy: ${RATE_LIMIT_POLICY}</code>). The reply to a refused request says in <code>Retry-After</code>
when to send it again.</li>
<li><strong>Errors</strong> share one shape; <a href="/docs/errors">each code has a page</a>.</li>
<li><strong>Events</strong> are sent as signed webhooks and over a socket; <a href="/docs/events">all types are here</a>.</li>
</ul>
<h2 id="operations">Operations</h2>
<p>The whole description is the <a href="/v1/openapi.json">OpenAPI document</a>.</p>
${[...Map.groupBy(operationsOf(app), (operation) => operation.tag)].map(([tag, operations]) => section(tag, operations))}`;
}

function section(tag: string, operations: readonly Operation[]): Html {
  const rows = operations.map(
    ({
      method,
      path,
      summary,
    }) => html`<tr><td><code>${method}</code></td><td><code>${path}</code></td><td>${summary}</td></tr>
`,
  );
  return html`<h3>${tag}</h3>
<div class="table"><table>
<thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">What it does</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>
`;
}
