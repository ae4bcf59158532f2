/** The markup of the public opt-out page of a form. */
import { html } from '../../../lib/http/html.ts';
import { type Attempt, errorSummary, links, type Page, phoneField, testNote, wholePage } from './page.ts';
import type { PublicForm } from './queries.ts';

/** Returns the page, empty or with the error of an attempt. */
export function optOutPage(form: PublicForm, attempt?: Attempt): Page {
  const title = `Opt out · ${form.tenant_name}`;
  const errors = attempt?.errors ?? {};
  const content = html`<h1>Opt out</h1>
${testNote(form)}
<p>${form.sender_name} will send no more texts to your number, and will not call it with a computer that speaks.</p>
${errorSummary(errors, 'You have not been opted out yet')}
<form method="post">
${phoneField(errors, attempt?.phoneNumber ?? '')}
<button type="submit">Opt out</button>
</form>
${links(form)}`;
  return wholePage({ title: attempt === undefined ? title : `Error: ${title}`, form, content });
}

/** Returns the page after an opt-out, the first or a repeated one. */
export function optedOutPage(form: PublicForm, phoneNumber: string): Page {
  const content = html`<h1>You are opted out</h1>
<p>${form.sender_name} will send no more texts to <strong>${phoneNumber}</strong>, and will not call it with a computer
that speaks.</p>
<p>To receive them again, send START from your phone to the number that you had texts from.</p>
${links(form)}`;
  return wholePage({ title: `You are opted out · ${form.tenant_name}`, form, content });
}
