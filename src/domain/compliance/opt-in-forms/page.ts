/** The markup of a form's public page. It runs no script, and texts of tenants and visitors are escaped. */
import { createHash } from 'node:crypto';
import { type Html, html } from '../../../lib/http/html.ts';
import type { PageTexts } from './page-texts.ts';
import type { PublicForm } from './queries.ts';
import { DEFAULT_COLOR, isDefaultText, TYPED_NUMBER_CHARS_MAX, textVersion } from './rules.ts';
import { styleFor } from './style.ts';
import { type EntryErrors, TEXT_CHANGED } from './submit-form.ts';

export type Page = { readonly markup: string; readonly headers: Readonly<Record<string, string>> };

/** The visitor's input and its errors. The box is not ticked again for the visitor. */
export type Attempt = { readonly phoneNumber: string; readonly errors: EntryErrors };

const NOTHING: Html = html``;

/** Returns the page of the form, empty or with the errors of an attempt. */
export function formPage(form: PublicForm, t: PageTexts, attempt?: Attempt): Page {
  const title = `${form.name} · ${form.tenant_name}`;
  const errors = attempt === undefined ? {} : attempt.errors;
  const content = html`<h1>${form.name}</h1>
${testNote(form, t)}
${errorSummary(errors, t, t.notSignedUp)}
<form method="post">
<input type="hidden" name="shown_version" value="${textVersion(form.consent_text)}">
${phoneField(errors, t, attempt?.phoneNumber ?? '')}
${consentField(form, errors, t)}
<button type="submit">${t.signUp}</button>
</form>
${links(form, t)}`;
  return wholePage({ title: attempt === undefined ? title : t.error(title), form, content, t });
}

export function testNote({ mode }: PublicForm, t: PageTexts): Html {
  return mode === 'test' ? html`<p class="note">${t.testForm}</p>` : NOTHING;
}

/** Returns the page after a consent, the first or a repeated one. */
export function thanksPage(form: PublicForm, t: PageTexts, phoneNumber: string): Page {
  const [before, after] = t.noted(form.sender_name);
  const content = html`<h1>${t.thanks}</h1>
<p>${before}<strong>${phoneNumber}</strong>${after}</p>
<p>${t.howToStop}</p>
${links(form, t)}`;
  return wholePage({ title: `${t.thanks} · ${form.tenant_name}`, form, content, t });
}

/** Returns a page without a form. `code` is the error code, for programs that read the page. */
export function noticePage([title, text]: readonly string[], code: string, t: PageTexts): Page {
  const content = html`<h1>${title ?? ''}</h1>\n<p data-code="${code}">${text ?? ''}</p>`;
  return wholePage({ title: title ?? '', form: undefined, content, t });
}

const FIELDS = ['phone_number', 'consent'] as const;
type Field = (typeof FIELDS)[number];

function messageOf(errors: EntryErrors, field: Field, t: PageTexts): string {
  return errors[field]?.message === TEXT_CHANGED ? t.textChanged : t.fieldErrors[field];
}

export function errorSummary(errors: EntryErrors, t: PageTexts, title: string): Html {
  const fields = FIELDS.filter((field) => errors[field] !== undefined);
  if (fields.length === 0) return NOTHING;
  const items = fields.map((field) => html`<li><a href="#${field}">${messageOf(errors, field, t)}</a></li>\n`);
  return html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="summary_title">
<h2 id="summary_title">${title}</h2>
<ul>
${items}</ul>
</div>`;
}

function errorOf(errors: EntryErrors, field: Field, t: PageTexts): Html {
  const code = errors[field]?.code;
  if (code === undefined) return NOTHING;
  return html`<p class="error" id="${field}_error" data-code="${code}">${messageOf(errors, field, t)}</p>`;
}

function invalid(errors: EntryErrors, field: Field): Html {
  return errors[field] === undefined ? NOTHING : html` aria-invalid="true"`;
}

export function phoneField(errors: EntryErrors, t: PageTexts, value: string): Html {
  const describedBy = errors.phone_number === undefined ? 'phone_number_hint' : 'phone_number_hint phone_number_error';
  return html`<div class="field">
<label for="phone_number">${t.phoneNumber}</label>
<p class="hint" id="phone_number_hint">${t.phoneHint} <span>602 555 0143</span></p>
${errorOf(errors, 'phone_number', t)}
<input id="phone_number" name="phone_number" type="tel" autocomplete="tel" maxlength="${TYPED_NUMBER_CHARS_MAX}" required
 value="${value}" aria-describedby="${describedBy}"${invalid(errors, 'phone_number')}>
</div>`;
}

/** The consent text is the tenant's, in the tenant's language: it is evidence, so it is never translated. */
function consentField(form: PublicForm, errors: EntryErrors, t: PageTexts): Html {
  const language = t.language !== 'en' && isDefaultText(form.consent_text) ? html` lang="en"` : NOTHING;
  const describedBy = errors.consent === undefined ? NOTHING : html` aria-describedby="consent_error"`;
  return html`<div class="field">
${errorOf(errors, 'consent', t)}
<div class="consent">
<input id="consent" name="consent" type="checkbox" value="yes" required${describedBy}${invalid(errors, 'consent')}>
<label for="consent"${language}>${form.consent_text}</label>
</div>
</div>`;
}

export function links(form: PublicForm, t: PageTexts): Html {
  const known = [
    { url: form.terms_url, text: t.terms },
    { url: form.privacy_url, text: t.privacy },
  ].filter((link): link is { url: string; text: string } => link.url !== null);
  if (known.length === 0) return NOTHING;
  const items = known.map(({ url, text }) => html`<li><a href="${url}" rel="noreferrer">${text}</a></li>\n`);
  return html`<nav aria-label="${t.legal}"><ul>\n${items}</ul></nav>`;
}

type PageParts = { title: string; form: PublicForm | undefined; content: Html; t: PageTexts };

export function wholePage({ title, form, content, t }: PageParts): Page {
  const style = styleFor(form?.color ?? DEFAULT_COLOR);
  const { markup } = html`<!doctype html>
<html lang="${t.language}">
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

/** Allows only the logo to load. Allows no script, and no framing: a frame could get the box ticked unseen. */
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
    vary: 'accept-language',
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
  };
}
