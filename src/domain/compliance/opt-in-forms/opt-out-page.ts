/** The markup of the public opt-out page of a form. */
import { html } from '../../../lib/http/html.ts';
import { type Attempt, errorSummary, links, type Page, phoneField, testNote, wholePage } from './page.ts';
import type { PageTexts } from './page-texts.ts';
import type { PublicForm } from './queries.ts';

/** Returns the page, empty or with the error of an attempt. */
export function optOutPage(form: PublicForm, t: PageTexts, attempt?: Attempt): Page {
  const title = `${t.optOut} · ${form.tenant_name}`;
  const errors = attempt?.errors ?? {};
  const content = html`<h1>${t.optOut}</h1>
${testNote(form, t)}
<p>${t.optOutMeans(form.sender_name)}</p>
${errorSummary(errors, t, t.notOptedOut)}
<form method="post">
${phoneField(errors, t, attempt?.phoneNumber ?? '')}
<button type="submit">${t.optOut}</button>
</form>
${links(form, t)}`;
  return wholePage({ title: attempt === undefined ? title : t.error(title), form, content, t });
}

/** Returns the page after an opt-out, the first or a repeated one. */
export function optedOutPage(form: PublicForm, t: PageTexts, phoneNumber: string): Page {
  const [before, after] = t.optedOutMeans(form.sender_name);
  const content = html`<h1>${t.optedOut}</h1>
<p>${before}<strong>${phoneNumber}</strong>${after}</p>
<p>${t.howToStart}</p>
${links(form, t)}`;
  return wholePage({ title: `${t.optedOut} · ${form.tenant_name}`, form, content, t });
}
