/** The list of conversations. */
import { translatePreview } from '@dialplane/i18n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { formatWhen, nameOf } from '../format.ts';
import { ICONS } from '../icons.ts';
import { problemText, type Texts } from '../texts/texts.ts';
import { FILTERS, type Filter } from './filters.ts';
import type { InboxModel } from './model.ts';

type ListOptions = {
  readonly mayWrite: boolean;
  /** True for a session with a reader: its person chooses which conversations are shown. */
  readonly isShared: boolean;
};

export function listView(texts: Texts, model: InboxModel, { mayWrite, isShared }: ListOptions): TemplateResult {
  const { list } = texts;
  return html`<section class="list" part="list" aria-labelledby="list-title">
    <header class="bar">
      <h2 id="list-title">${list.title}</h2>
      <span class="state ${model.live === 'connecting' ? '' : 'good'}" role="status">${list.states[model.live]}</span>
      ${
        mayWrite
          ? html`<button class="icon" type="button" aria-label=${list.newText} @click=${() => model.openNew()}>
              ${ICONS.write}
            </button>`
          : nothing
      }
    </header>
    ${isShared ? filterView(texts, model) : nothing}
    ${model.problem === null ? nothing : html`<p class="note error" role="alert">${problemText(texts, model.problem)}</p>`}
    ${model.conversations.length === 0 && model.cursor === null ? emptyView(texts, model) : itemsView(texts, model)}
  </section>`;
}

function filterView({ list }: Texts, model: InboxModel): TemplateResult {
  const choose = (event: Event) => void model.show((event.target as HTMLSelectElement).value as Filter);
  return html`<label class="filter">
    <span class="hidden">${list.show}</span>
    <select class="field small" @change=${choose}>
      ${FILTERS.map((filter) => html`<option value=${filter} .selected=${live(model.filter === filter)}>${list.filters[filter]}</option>`)}
    </select>
  </label>`;
}

function emptyView({ list }: Texts, { isLoading, problem, filter }: InboxModel): TemplateResult {
  if (isLoading) return html`<p class="note muted">${list.loading}</p>`;
  if (problem !== null) return html``;
  return html`<p class="note muted">${filter === 'all' ? list.empty : list.emptyFilter}</p>`;
}

function itemsView(texts: Texts, model: InboxModel): TemplateResult {
  const { list } = texts;
  return html`<ul class="items" aria-label=${list.title} @keydown=${moveFocus}>
      ${repeat(
        model.conversations,
        ({ id }) => id,
        (conversation) => {
          const { id, external_number, last_activity_at, last_message_preview, last_activity_kind } = conversation;
          const { opted_out, state, assignee, snoozed_until } = conversation;
          const isOpen = model.thread?.conversation?.id === id;
          const isUnread = model.isUnread(conversation);
          return html`<li>
            <button
              type="button"
              class="item ${isUnread ? 'unread' : ''}"
              part="conversation"
              aria-current=${isOpen ? 'true' : nothing}
              @click=${() => model.open(conversation)}
            >
              <span class="who">${nameOf(texts, model.contacts, external_number)}</span>
              <time class="small muted" datetime=${last_activity_at}>${formatWhen(texts, last_activity_at)}</time>
              <span class="preview" dir="auto">${translatePreview(last_message_preview, last_activity_kind, list.previews)}</span>
              ${isUnread ? html`<span class="dot"><span class="hidden">${list.unread}</span></span>` : nothing}
              ${opted_out ? html`<span class="badge">${list.optedOut}</span>` : nothing}
              ${state === 'done' ? html`<span class="badge quiet">${list.done}</span>` : nothing}
              ${snoozed_until === null ? nothing : html`<span class="badge quiet">${list.snoozed}</span>`}
              ${assignee === null ? nothing : html`<span class="badge quiet">${assignee}</span>`}
            </button>
          </li>`;
        },
      )}
    </ul>
    ${
      model.cursor === null
        ? nothing
        : html`<p class="note"><button class="plain" type="button" @click=${() => model.loadMore()}>
              ${list.older}
            </button></p>`
    }`;
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, last) => last,
};

/** Moves the focus between conversations. */
function moveFocus(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  const list = event.currentTarget as HTMLElement;
  const buttons = [...list.querySelectorAll<HTMLButtonElement>('button.item')];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  buttons[step(at, buttons.length - 1)]?.focus();
}
