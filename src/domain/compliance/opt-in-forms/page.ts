/** The public page of a form as markup. It runs no script, and what tenants and visitors wrote is escaped. */
import { createHash } from 'node:crypto';
import { type Html, html } from '../../../http/html.ts';
import type { PublicForm } from './queries.ts';
import { DEFAULT_COLOR, textColorOn } from './rules.ts';
import type { EntryErrors } from './submit-form.ts';

export type Page = { readonly markup: string; readonly headers: Readonly<Record<string, string>> };

/** What the visitor had typed, and what was wrong with it. The box is never ticked for them, then either. */
export type Attempt = { readonly phoneNumber: string; readonly errors: EntryErrors };

const NOTHING: Html = html``;

/** The form, empty or with the errors of an attempt. */
export function formPage(form: PublicForm, attempt?: Attempt): Page {
  const title = `${form.name} · ${form.tenant_name}`;
  const errors = attempt === undefined ? {} : attempt.errors;
  const content = html`<h1>${form.name}</h1>
${form.mode === 'test' ? html`<p class="note">This is a test form: no real texts follow from it.</p>` : NOTHING}
${errorSummary(errors)}
<form method="post">
${phoneField(errors, attempt?.phoneNumber ?? '')}
${consentField(form, errors)}
<button type="submit">Sign up for texts</button>
</form>
${links(form)}`;
  return wholePage({ title: attempt === undefined ? title : `Error: ${title}`, form, content });
}

/** What a visitor sees who has consented, for the first time or again. */
export function thanksPage(form: PublicForm, phoneNumber: string): Page {
  const content = html`<h1>Thank you</h1>
<p>Your consent to texts from ${form.tenant_name} to <strong>${phoneNumber}</strong> has been noted.</p>
<p>You can reply STOP to any of these texts to end them. If you have replied STOP before, send START from your phone
to receive them again: this form alone does not change that.</p>
${links(form)}`;
  return wholePage({ title: `Thank you · ${form.tenant_name}`, form, content });
}

/** A page for when there is no form to show. */
export function noticePage(title: string, text: string): Page {
  return wholePage({ title, form: undefined, content: html`<h1>${title}</h1>\n<p>${text}</p>` });
}

const MESSAGES = {
  phone_number: 'Enter a phone number, with its area code.',
  consent: 'Tick the box if you agree to receive texts. Without it nothing is sent to you.',
} as const;
type Field = keyof typeof MESSAGES;

function errorSummary(errors: EntryErrors): Html {
  const fields = (Object.keys(MESSAGES) as Field[]).filter((field) => errors[field] !== undefined);
  if (fields.length === 0) return NOTHING;
  const items = fields.map((field) => html`<li><a href="#${field}">${MESSAGES[field]}</a></li>\n`);
  return html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="summary_title">
<h2 id="summary_title">You have not been signed up yet</h2>
<ul>
${items}</ul>
</div>`;
}

function errorOf(errors: EntryErrors, field: Field): Html {
  return errors[field] === undefined ? NOTHING : html`<p class="error" id="${field}_error">${MESSAGES[field]}</p>`;
}

function invalid(errors: EntryErrors, field: Field): Html {
  return errors[field] === undefined ? NOTHING : html` aria-invalid="true"`;
}

function phoneField(errors: EntryErrors, value: string): Html {
  const describedBy = errors.phone_number === undefined ? 'phone_number_hint' : 'phone_number_hint phone_number_error';
  return html`<div class="field">
<label for="phone_number">Phone number</label>
<p class="hint" id="phone_number_hint">With area code, such as 602 555 0143</p>
${errorOf(errors, 'phone_number')}
<input id="phone_number" name="phone_number" type="tel" autocomplete="tel" maxlength="40" required
 value="${value}" aria-describedby="${describedBy}"${invalid(errors, 'phone_number')}>
</div>`;
}

function consentField(form: PublicForm, errors: EntryErrors): Html {
  const describedBy = errors.consent === undefined ? NOTHING : html` aria-describedby="consent_error"`;
  return html`<div class="field">
${errorOf(errors, 'consent')}
<div class="consent">
<input id="consent" name="consent" type="checkbox" value="yes" required${describedBy}${invalid(errors, 'consent')}>
<label for="consent">${form.consent_text}</label>
</div>
</div>`;
}

function links(form: PublicForm): Html {
  const known = [
    { url: form.terms_url, text: 'Terms' },
    { url: form.privacy_url, text: 'Privacy' },
  ].filter((link): link is { url: string; text: string } => link.url !== null);
  if (known.length === 0) return NOTHING;
  const items = known.map(({ url, text }) => html`<li><a href="${url}" rel="noreferrer">${text}</a></li>\n`);
  return html`<nav aria-label="Legal"><ul>\n${items}</ul></nav>`;
}

type Whole = { title: string; form: PublicForm | undefined; content: Html };

function wholePage({ title, form, content }: Whole): Page {
  const style = styleFor(form?.color ?? DEFAULT_COLOR);
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${{ markup: `<style>${style}</style>` }}
</head>
<body>
${form === undefined ? NOTHING : html`<header>${brandOf(form)}</header>`}
<main>
${content}
</main>
</body>
</html>
`;
  return { markup, headers: headersFor(style, form?.logo_url ?? null) };
}

function brandOf(form: PublicForm): Html {
  if (form.logo_url === null) return html`<p>${form.tenant_name}</p>`;
  return html`<img src="${form.logo_url}" alt="${form.tenant_name}" referrerpolicy="no-referrer">`;
}

/** Nothing is loaded but the logo, nothing runs, nobody may frame the page to have its box ticked unseen. */
function headersFor(style: string, logoUrl: string | null): Page['headers'] {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ...(logoUrl === null ? [] : [`img-src ${new URL(logoUrl).origin}`]),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
  };
}

function styleFor(color: string): string {
  return `
:root { color-scheme: light; --brand: ${color}; --on-brand: ${textColorOn(color)}; --text: #1b1f24; --dim: #555d66;
  --error: #b3261e; --link: #0b57a4; }
* { box-sizing: border-box; }
body { margin: 0; border-top: .5rem solid var(--brand); background: #ffffff; color: var(--text);
  font: 1.0625rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
header, main { max-width: 34rem; margin: 0 auto; padding: 1rem 1.25rem; }
header p { margin: 0; font-weight: 600; }
header img { display: block; max-width: 100%; max-height: 5rem; }
h1 { margin: .5rem 0 1rem; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 0; font-size: 1.125rem; }
label { font-weight: 600; }
.consent { display: grid; grid-template-columns: auto 1fr; gap: .75rem; align-items: start; }
.consent label { font-weight: 400; white-space: pre-line; }
.field { margin: 1.25rem 0; }
.hint, .error { margin: .125rem 0 .375rem; }
.hint { color: var(--dim); }
.error { color: var(--error); font-weight: 600; }
.note { padding: .5rem .75rem; border: 1px solid var(--dim); }
.summary { padding: .75rem 1rem; border: 2px solid var(--error); }
.summary ul { margin: .5rem 0 0; padding-left: 1.25rem; }
.summary a { color: var(--error); }
input[type=tel] { width: 100%; max-width: 20rem; padding: .625rem; border: 1px solid #6b737c; border-radius: 4px;
  background: #ffffff; color: inherit; font: inherit; }
input[type=checkbox] { width: 1.5rem; height: 1.5rem; margin: 0; }
[aria-invalid] { outline: 2px solid var(--error); }
button { padding: .75rem 1.5rem; border: 2px solid var(--text); border-radius: 4px; background: var(--brand);
  color: var(--on-brand); font: inherit; font-weight: 600; cursor: pointer; }
a { color: var(--link); }
a:focus-visible, input:focus-visible, button:focus-visible, .summary:focus-visible { outline: 3px solid #1b1f24;
  outline-offset: 2px; }
nav ul { display: flex; gap: 1.5rem; margin: 2rem 0 0; padding: 0; list-style: none; }
`;
}
