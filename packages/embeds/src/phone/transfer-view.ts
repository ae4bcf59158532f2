/** The view of a transfer: its target, and then its progress. */
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../format.ts';
import { readNumber } from '../read-number.ts';
import type { Texts } from '../texts/texts.ts';
import type { Line, LineCall } from './line.ts';

/** The form that starts a transfer: to a number, at once or after a talk. */
export function transferForm({ transfer: words }: Texts, line: Line): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const text = String(form.get('to')).trim();
    // The id of a web client, the address of a telephone, or "voicemail".
    const to = /[a-z]/i.test(text) ? text : readNumber(text);
    const announceText = String(form.get('announce')).trim();
    const isConsult = event.submitter?.getAttribute('value') === 'consult';
    void line.transfer(to, { mode: isConsult ? 'consult' : 'announce', ...(announceText && { announceText }) });
  };
  return html`<form class="transfer" part="transfer" @submit=${submit}>
    <label>${words.to}<input class="field" name="to" required autocomplete="off" /></label>
    <label>${words.sayFirst}<input class="field" name="announce" maxlength="500" autocomplete="off" /></label>
    <button class="primary" type="submit" value="consult">${words.talkFirst}</button>
    <button type="submit" value="announce">${words.atOnce}</button>
  </form>`;
}

/** A transfer that is under way. One without a talk can no longer be taken back. */
export function transferView(
  texts: Texts,
  line: Line,
  { transfer }: LineCall['call'],
): TemplateResult | typeof nothing {
  if (transfer === null) return nothing;
  const { mode, state } = transfer;
  const { talking, ringing, cancel, complete } = texts.transfer;
  const to = formatNumber(texts, transfer.to);
  return html`<div class="transfer">
    <p role="status">${state === 'talking' ? talking(to) : ringing(to)}</p>
    ${
      mode === 'consult'
        ? html`<button type="button" @click=${line.cancelTransfer}>${cancel}</button>
            <button class="primary" type="button" @click=${line.completeTransfer}>${complete}</button>`
        : nothing
    }
  </div>`;
}
