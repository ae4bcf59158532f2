/** The open conversation: its items, and the form for an answer. */
import type { Conversation } from '@dialplane/sdk';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { formatDay, formatNumber, nameOf } from '../format.ts';
import { ICONS } from '../icons.ts';
import { problemText, type Texts } from '../texts/texts.ts';
import { BODY_CHARS_MAX, type Composer } from './composer.ts';
import { itemView } from './item-view.ts';
import { type Item, momentOf, type Thread } from './items.ts';
import type { InboxModel } from './model.ts';
import type { NoteDraft } from './note-draft.ts';
import { noteForm } from './note-view.ts';
import { snoozeView } from './snooze-view.ts';

export type ThreadParts = {
  readonly texts: Texts;
  readonly model: InboxModel;
  readonly composer: Composer;
  readonly note: NoteDraft;
  readonly onSaveNote: () => void;
  readonly mayWrite: boolean;
  /** Shows the buttons for the assignee, for the state, and for a note. */
  readonly mayChange: boolean;
  /** The session's reader, who may take conversations. */
  readonly reader: string | null;
  /** Shows the button that asks the page to call the person. */
  readonly mayCall: boolean;
  /** The chosen recipient of a new text, and the id of the chosen number of the tenant. */
  readonly draft: { to: string; from: string };
  readonly onDraft: (change: { to?: string; from?: string }) => void;
  readonly onWrite: (text: string) => void;
  readonly onSend: () => void;
  readonly onBack: () => void;
  readonly onCall: (number: string) => void;
};

export function threadView(parts: ThreadParts): TemplateResult {
  const { texts } = parts;
  const { thread } = parts.model;
  if (thread === null) {
    return html`<section class="thread empty" part="thread"><p class="muted">${texts.thread.none}</p></section>`;
  }
  const number = thread.conversation?.external_number;
  return html`<section class="thread" part="thread" aria-labelledby="thread-title">
    <header class="bar">
      <button class="icon back" type="button" aria-label=${texts.thread.back} @click=${parts.onBack}>
        ${ICONS.back}
      </button>
      <h2 id="thread-title" tabindex="-1">
        ${number === undefined ? texts.thread.newText : nameOf(texts, parts.model.contacts, number)}
      </h2>
      ${
        parts.mayCall && number !== undefined && number !== 'anonymous'
          ? html`<button
              class="icon"
              type="button"
              aria-label=${texts.thread.call(nameOf(texts, parts.model.contacts, number))}
              @click=${() => parts.onCall(number)}
            >
              ${ICONS.phone}
            </button>`
          : nothing
      }
    </header>
    ${number === undefined ? nothing : contactView(texts, parts.model, number)}
    ${parts.mayChange && thread.conversation ? workView(parts, thread.conversation) : nothing}
    ${number === undefined ? recipientView(parts) : itemsView(texts, parts.model, thread)}
    ${thread.problem === null ? nothing : html`<p class="note error" role="alert">${problemText(texts, thread.problem)}</p>`}
    ${parts.mayChange && thread.conversation ? noteForm(texts, parts.note, parts.onSaveNote) : nothing}
    ${footerView(parts, thread)}
  </section>`;
}

/** The card of the conversation's contact. */
function contactView(texts: Texts, { contacts }: InboxModel, number: string): TemplateResult | typeof nothing {
  const contact = contacts.find(number);
  if (contact === undefined) return nothing;
  const { company, email } = contact;
  return html`<div class="card small muted" part="contact" role="group" aria-label=${texts.thread.contact}>
    ${[company, formatNumber(texts, number), email].filter((fact) => fact !== null).map((fact) => html`<span dir="auto">${fact}</span>`)}
  </div>`;
}

function workView({ texts, model, note, reader }: ThreadParts, conversation: Conversation): TemplateResult {
  const { state, assignee } = conversation;
  const { work } = texts;
  const isDone = state === 'done';
  const isMine = reader !== null && assignee === reader;
  return html`<div class="work" part="work">
    <span class="small muted">${assignee === null ? work.nobody : work.assigned(assignee)}</span>
    ${
      reader === null
        ? nothing
        : html`<button
            class="plain"
            type="button"
            @click=${() => model.change({ assignee: isMine ? null : reader })}
          >
            ${isMine ? work.giveUp : work.take}
          </button>`
    }
    <button class="plain" type="button" @click=${() => model.change({ state: isDone ? 'open' : 'done' })}>
      ${isDone ? work.reopen : work.finish}
    </button>
    ${snoozeView(texts, model, conversation)}
    <button class="plain" type="button" aria-expanded=${note.isOpen} @click=${() => note.toggle()}>
      ${work.writeNote}
    </button>
  </div>`;
}

function itemsView(texts: Texts, model: InboxModel, thread: Thread): TemplateResult {
  const { items, cursor, isLoading } = thread;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${texts.thread.items}>
    ${
      cursor === null
        ? nothing
        : html`<p class="note">
            <button class="plain" type="button" @click=${() => model.loadEarlier()}>${texts.thread.earlier}</button>
          </p>`
    }
    ${isLoading && items.length === 0 ? html`<p class="note muted">${texts.thread.loading}</p>` : nothing}
    <ol class="entries">
      ${repeat(
        items,
        ({ id }) => id,
        (item, at) => html`${dayView(texts, item, items[at - 1])}${itemView(texts, model, item)}`,
      )}
    </ol>
  </div>`;
}

/** The day of an item. Shows nothing if the previous item has the same day. */
function dayView(texts: Texts, item: Item, before: Item | undefined): TemplateResult | typeof nothing {
  const day = formatDay(texts, momentOf(item));
  if (before !== undefined && formatDay(texts, momentOf(before)) === day) return nothing;
  return html`<li class="day"><h3 class="small">${day}</h3></li>`;
}

function recipientView({ texts, model, draft, onDraft }: ThreadParts): TemplateResult {
  const from = html`<label>
    <span class="small muted">${texts.thread.from}</span>
    <select class="field" @change=${(event: Event) => onDraft({ from: (event.target as HTMLSelectElement).value })}>
      ${model.numbers.map(
        ({ id, phone_number }) =>
          html`<option value=${id} ?selected=${id === draft.from}>${formatNumber(texts, phone_number)}</option>`,
      )}
    </select>
  </label>`;
  return html`<div class="scroll recipient">
    <label>
      <span class="small muted">${texts.thread.to}</span>
      <input
        id="to"
        class="field"
        type="tel"
        autocomplete="off"
        placeholder="(602) 555-0143"
        .value=${live(draft.to)}
        @input=${(event: Event) => onDraft({ to: (event.target as HTMLInputElement).value })}
      />
    </label>
    ${model.numbers.length > 1 ? from : nothing}
  </div>`;
}

function footerView(parts: ThreadParts, { conversation }: Thread): TemplateResult | typeof nothing {
  if (conversation?.opted_out) {
    return html`<p class="optout" part="opt-out" role="status">
      <strong>${parts.texts.thread.optedOut}</strong> ${parts.texts.thread.optedOutMeans}
    </p>`;
  }
  if (!parts.mayWrite || conversation?.external_number === 'anonymous') return nothing;
  return composerView(parts);
}

function composerView({ texts, composer, onWrite, onSend }: ThreadParts): TemplateResult {
  const { text, isSending, verdict } = composer;
  const isRefused = verdict?.accepted === false;
  const submit = (event: Event) => {
    event.preventDefault();
    onSend();
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    submit(event);
  };
  return html`<form class="composer" part="composer" @submit=${submit}>
    <label class="hidden" for="text">${texts.composer.label}</label>
    <textarea
      id="text"
      dir="auto"
      class="field"
      rows="1"
      maxlength=${BODY_CHARS_MAX}
      placeholder=${texts.composer.placeholder}
      aria-describedby="verdict"
      aria-invalid=${isRefused ? 'true' : 'false'}
      .value=${live(text)}
      @input=${(event: Event) => onWrite((event.target as HTMLTextAreaElement).value)}
      @keydown=${sendOnEnter}
    ></textarea>
    <button class="primary" part="send" type="submit" ?disabled=${isSending || isRefused || text.trim() === ''}>
      ${ICONS.send}<span class="label">${texts.composer.send}</span>
    </button>
    <p id="verdict" class="verdict small" role="status">${verdictView(texts, composer)}</p>
  </form>`;
}

function verdictView(texts: Texts, { text, verdict, problem }: Composer): TemplateResult {
  const { keys, characters, parts, specialParts } = texts.composer;
  const failure = problem ?? (text === '' ? null : verdict?.error);
  if (failure) return html`<span class="error">${problemText(texts, failure)}</span>`;
  if (text === '') return html`<span class="muted">${keys}</span>`;
  const length = characters([...text].length, BODY_CHARS_MAX);
  if (verdict === null) return html`<span class="muted">${length}</span>`;
  const size = (verdict.encoding === 'ucs2' ? specialParts : parts)(verdict.segments);
  return html`<span class="muted">${size} · ${length}</span>`;
}
