import { ERROR_GROUPS, ERRORS, type ErrorCode, type ErrorGroup } from '../../lib/errors/errors.ts';
import { type Html, html } from '../../lib/http/html.ts';
import { Type } from '../../lib/type.ts';
import type { RoutePlugin } from '../edge/types.ts';
import { sendPage } from '../site/layout.ts';

const hidden = { hide: true } as const;

/** /docs/errors and a page for each code. The `docs_url` of an error reply leads to its code's page. */
export const errorPages: RoutePlugin = (app) => {
  app.get('/docs/errors', { schema: hidden }, (_request, reply) =>
    sendPage(reply, 200, { title: 'Errors', content: index(), slug: 'errors' }),
  );

  app.get(
    '/docs/errors/:code',
    { schema: { ...hidden, params: Type.Object({ code: Type.String() }) } },
    ({ params: { code } }, reply) => {
      if (isErrorCode(code)) return sendPage(reply, 200, { title: code, content: explanation(code), slug: 'errors' });
      const content = html`<p>No error has the code <code>${code}</code>.
<a href="/docs/errors">All codes are listed here.</a></p>`;
      return sendPage(reply, 404, { title: 'Unknown error code', content });
    },
  );
};

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

function explanation(code: ErrorCode): Html {
  const { status, group, message, remedy } = ERRORS[code];
  return html`<dl>
<dt>HTTP status</dt><dd>${status}</dd>
<dt>Meaning</dt><dd>${message}</dd>
<dt>What to do</dt><dd>${remedy}</dd>
<dt>Group</dt><dd><a href="/docs/errors#${group}">${ERROR_GROUPS[group]}</a></dd>
</dl>
<p>Branch on <code>error.code</code>; the message may be reworded. Quote <code>request_id</code> when you ask the
operator about a reply.</p>`;
}

function index(): Html {
  const groups = Object.keys(ERROR_GROUPS) as ErrorGroup[];
  return html`<p>A reply outside of 2xx carries <code>error.code</code>, <code>error.message</code>,
<code>error.docs_url</code>, in most cases <code>error.param</code>, and <code>request_id</code>.</p>
${groups.map(section)}`;
}

function section(group: ErrorGroup): Html {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].group === group);
  const rows = codes.map(
    (code) => html`<tr><th scope="row"><a href="/docs/errors/${code}"><code>${code}</code></a></th>
<td>${ERRORS[code].status}</td><td>${ERRORS[code].message}</td></tr>
`,
  );
  return html`<h2 id="${group}">${ERROR_GROUPS[group]}</h2>
<div class="table"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>
`;
}
