import { type Html, html } from '../../lib/http/html.ts';
import type { Api, RoutePlugin } from '../edge/types.ts';
import { sendPage } from '../site/layout.ts';

/** /docs/operations: every operation of this version, one in each line. */
export const operationsPage: RoutePlugin = (app) => {
  app.get('/docs/operations', { schema: { hide: true } }, (_request, reply) =>
    sendPage(reply, 200, { title: 'All operations', content: content(app), slug: 'operations' }),
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

function content(app: Api): Html {
  const tags = [...Map.groupBy(operationsOf(app), (operation) => operation.tag)];
  return html`<p>The <a href="/docs/api">API reference</a> has their fields, and the
<a href="/v1/openapi.json">OpenAPI document</a> the whole description.</p>
${tags.map(([tag, operations]) => section(tag, operations))}`;
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
  return html`<h2>${tag}</h2>
<div class="table"><table>
<thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">What it does</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>
`;
}
