/** `<dialplane-inbox>`: the conversations of one tenant on a page of the platform. */
import { html, nothing, type PropertyValues } from 'lit';
import { Contacts } from '../contacts.ts';
import { EmbedElement } from '../element.ts';
import { nameOf } from '../format.ts';
import { Live } from '../live.ts';
import { readNumber } from '../read-number.ts';
import type { OwnProblem, Texts } from '../texts/texts.ts';
import { theme } from '../theme.ts';
import { Composer, type Recipient } from './composer.ts';
import { listView } from './list-view.ts';
import { InboxModel } from './model.ts';
import { NoteDraft } from './note-draft.ts';
import { styles } from './styles.ts';
import { threadView } from './thread-view.ts';

/** A thread follows new items if it is scrolled at most this far from its end. */
const NEAR_END_PX = 80;

export class DialplaneInbox extends EmbedElement {
  static override styles = [theme, styles];
  static override properties = { ...EmbedElement.properties, calls: { type: Boolean } };

  /** Shows a button that dispatches `call-requested`; the page passes the number on to its phone. */
  declare calls: boolean;

  readonly #contacts = new Contacts({
    api: this.api,
    tenant: () => this.tenant,
    mayRead: () => this.may('conversations:read'),
    onChange: () => this.requestUpdate(),
  });
  readonly #model = new InboxModel({
    api: this.api,
    contacts: this.#contacts,
    tenant: () => this.tenant,
    reader: () => this.session?.reader ?? null,
    onChange: () => {
      this.#composer.aim(this.#recipient());
      this.requestUpdate();
    },
    onArrival: (from, body) =>
      this.#announce(this.texts.thread.arrived(nameOf(this.texts, this.#contacts, from), body)),
  });
  readonly #composer = new Composer(this.api, () => this.requestUpdate());
  readonly #note = new NoteDraft(this.api, () => this.requestUpdate());
  readonly #live = new Live(this.api, {
    onEvent: (event) => void this.#model.take(event),
    onState: (state) => this.#model.setLive(state),
    onGap: () => void this.#model.refresh(),
    onRefused: (refusal) => this.#model.setProblem(refusal),
  });
  #announcement = '';
  #draft = { to: '', from: '' };
  /** The scroll position of the open thread before an update. */
  #scroll: { readonly id: string; readonly fromEnd: number; readonly isNearEnd: boolean } | undefined;

  protected begin(): void {
    this.#model.reset();
    this.#composer.clear();
    this.#note.clear();
    void this.#model.refresh();
    this.#live.start();
  }

  protected end(): void {
    this.#live.stop();
  }

  protected override render() {
    const { texts } = this;
    const isOpen = this.#model.thread !== null;
    return html`<div class="inbox ${isOpen ? 'open' : ''}" lang=${texts.language} @keydown=${this.#closeOnEscape}>
      ${this.isReady ? this.#panes(texts) : html`<p class="note muted">${texts.waiting}</p>`}
      <p class="hidden" aria-live="polite">${this.#announcement || nothing}</p>
    </div>`;
  }

  #panes(texts: Texts) {
    const mayWrite = this.may('messages:send');
    return html`${listView(texts, this.#model, { mayWrite, isShared: (this.session?.reader ?? null) !== null })}
    ${threadView({
      texts,
      model: this.#model,
      composer: this.#composer,
      note: this.#note,
      onSaveNote: () => void this.#saveNote(),
      mayWrite,
      // Hidden unless the session certainly has the ability, because a page may pass only the token of an older
      // session.
      mayChange: this.session?.abilities?.includes('conversations:write') ?? false,
      reader: this.session?.reader ?? null,
      mayCall: this.calls === true,
      draft: this.#draft,
      onDraft: (change) => {
        this.#draft = { ...this.#draft, ...change };
        this.#composer.write(this.#composer.text, this.#recipient());
      },
      onWrite: (text) => this.#composer.write(text, this.#recipient()),
      onSend: () => void this.#send(),
      onBack: () => this.#back(),
      onCall: (to) => this.emit('call-requested', { to }),
    })}`;
  }

  /** Returns the recipient of the text that the person is writing; null until it is known. */
  #recipient(): Recipient | null {
    const { thread, numbers } = this.#model;
    if (thread?.conversation) {
      return { from: thread.conversation.phone_number_id, to: thread.conversation.external_number };
    }
    const from = this.#draft.from || numbers[0]?.id;
    const to = readNumber(this.#draft.to);
    return from === undefined || to.length < 3 ? null : { from, to };
  }

  /** Returns the missing part of a text without a recipient. */
  #lacking(): OwnProblem {
    return this.#model.numbers.length === 0 ? 'no_sender' : 'no_recipient';
  }

  async #send(): Promise<void> {
    const recipient = this.#recipient();
    if (recipient === null) return this.#composer.refuse(this.#lacking());
    const message = await this.#composer.send(recipient);
    if (message === undefined) return;
    this.#draft = { to: '', from: '' };
    this.emit('text-sent', { id: message.id });
    await this.#model.addSent(message);
    await this.updateComplete;
    this.#find('#text')?.focus();
  }

  async #saveNote(): Promise<void> {
    const id = this.#model.thread?.conversation?.id;
    if (id === undefined) return;
    const note = await this.#note.save(id, this.session?.reader ?? null);
    if (note !== undefined) this.#model.addNote(note);
  }

  #back(): void {
    const id = this.#model.thread?.conversation?.id;
    this.#model.close();
    void this.updateComplete.then(() => {
      const at = this.#model.conversations.findIndex((conversation) => conversation.id === id);
      this.renderRoot.querySelectorAll<HTMLElement>('button.item')[at]?.focus();
    });
  }

  #closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || this.#model.thread === null || event.defaultPrevented) return;
    event.preventDefault();
    this.#back();
  }

  #announce(text: string): void {
    this.#announcement = text;
    this.requestUpdate();
  }

  #find(selector: string): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(selector);
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const scroll = this.hasUpdated ? this.#find('.scroll') : null;
    const id = this.#shown;
    if (scroll === null || id === undefined) {
      this.#scroll = undefined;
      return;
    }
    const fromEnd = scroll.scrollHeight - scroll.scrollTop;
    this.#scroll = { id, fromEnd, isNearEnd: fromEnd - scroll.clientHeight < NEAR_END_PX };
  }

  /** The conversation that the last update showed. */
  #shown: string | undefined;

  override updated(): void {
    const id = this.#model.thread?.conversation?.id ?? (this.#model.thread === null ? undefined : 'new');
    const isOther = id !== this.#shown;
    this.#shown = id;
    const scroll = this.#find('.scroll');
    if (scroll !== null) {
      const kept = isOther ? undefined : this.#scroll;
      // The view follows items that are added at the end. Items that are added at the start do not move the others.
      scroll.scrollTop = scroll.scrollHeight - (kept === undefined || kept.isNearEnd ? 0 : kept.fromEnd);
    }
    if (!isOther || id === undefined) return;
    this.#composer.clear();
    this.#note.clear();
    this.#find(id === 'new' ? '#to' : '#thread-title')?.focus();
  }
}
