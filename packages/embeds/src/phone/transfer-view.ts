/** The view of a transfer: the choice of its target, and then its progress. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { formatNumber } from '../format.ts';
import { readNumber } from '../read-number.ts';
import type { Texts } from '../texts/texts.ts';
import type { Colleague, Colleagues } from './colleagues.ts';
import type { Line, LineCall } from './line.ts';

type WithColleagues = { readonly texts: Texts; readonly line: Line; readonly colleagues: Colleagues };

/** The form that starts a transfer: to a colleague or to a number, immediately or after a talk. */
export function transferForm({ texts, line, colleagues }: WithColleagues): TemplateResult {
  const { transfer: words } = texts;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const text = String(form.get('colleague') || form.get('to')).trim();
    // The id of a web client, the address of a telephone, or "voicemail".
    const to = /[a-z]/i.test(text) ? text : readNumber(text);
    const announceText = String(form.get('announce')).trim();
    const isConsult = event.submitter?.getAttribute('value') === 'consult';
    void line.transfer(to, { mode: isConsult ? 'consult' : 'announce', ...(announceText && { announceText }) });
  };
  return html`<form class="transfer" part="transfer" @submit=${submit}>
    ${colleagues.list.length === 0 ? nothing : colleagueField(texts, colleagues)}
    <label>${words.to}<input class="field" name="to" required autocomplete="off" /></label>
    <label>${words.sayFirst}<input class="field" name="announce" maxlength="500" autocomplete="off" /></label>
    <button class="primary" type="submit" value="consult">${words.talkFirst}</button>
    <button type="submit" value="announce">${words.atOnce}</button>
  </form>`;
}

/** The choice of a colleague. Without a choice, the field for a number counts. */
function colleagueField(texts: Texts, { list }: Colleagues): TemplateResult {
  const { transfer: words } = texts;
  const change = ({ target }: Event) => {
    const { form, value } = target as HTMLSelectElement;
    const number = form?.elements.namedItem('to') as HTMLInputElement;
    number.disabled = value !== '';
  };
  const labelOf = ({ address, name, state }: Colleague) => {
    const label = name ?? formatNumber(texts, address);
    return state === null ? label : words.colleagueIn(label, words.states[state]);
  };
  return html`<label
    >${words.colleague}<select class="field" name="colleague" @change=${change}>
      <option value="">${words.noColleague}</option>
      ${repeat(
        list,
        ({ address }) => address,
        (colleague) => html`<option value=${colleague.address}>${labelOf(colleague)}</option>`,
      )}
    </select></label
  >`;
}

/** A transfer that is under way. Without a talk, it can no longer be canceled. */
export function transferView(
  { texts, line, colleagues }: WithColleagues,
  { transfer }: LineCall['call'],
): TemplateResult | typeof nothing {
  if (transfer === null) return nothing;
  const { mode, state } = transfer;
  const { talking, ringing, cancel, complete } = texts.transfer;
  const to = colleagues.nameOf(transfer.to) ?? formatNumber(texts, transfer.to);
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
