/** State of the inbox: conversations, the open one, and the person's draft. */
import type { Conversation, Event, Message, Note, PhoneNumber, UpdateConversation } from '@dialplane/sdk';
import { type Api, type Page, problemOf } from '../api.ts';
import type { Contacts } from '../contacts.ts';
import type { LiveState } from '../live.ts';
import type { Problem } from '../texts/texts.ts';
import { type Filter, queryOf, suits } from './filters.ts';
import { dropDeletedNotes, type Item, merge, type Thread } from './items.ts';
import type { ModelOptions } from './model-options.ts';

const PAGE_ROWS = 30;

export class InboxModel {
  live: LiveState = 'connecting';
  conversations: readonly Conversation[] = [];
  cursor: string | null = null;
  isLoading = true;
  filter: Filter = 'all';
  problem: Problem | null = null;
  thread: Thread | null = null;
  numbers: readonly PhoneNumber[] = [];
  /** Conversations with an inbound text or call that this page has not shown yet. Used by sessions without a reader. */
  readonly #arrived = new Set<string>();
  /** Addresses of recordings that the person has requested, by recording. */
  readonly recordings = new Map<string, string>();
  readonly contacts: Contacts;
  readonly #api: Api;
  readonly #tenant: () => string | undefined;
  readonly #reader: () => string | null;
  readonly #onChange: () => void;
  readonly #onArrival: ModelOptions['onArrival'];
  /** Counts reads of the list, because reads can overlap. Only the result of the latest one is used. */
  #listing = 0;
  #opening = 0;

  constructor({ api, contacts, tenant, reader, onChange, onArrival }: ModelOptions) {
    this.#api = api;
    this.contacts = contacts;
    this.#tenant = tenant;
    this.#reader = reader;
    this.#onChange = onChange;
    this.#onArrival = onArrival;
  }

  /** Forgets everything, for a change of the session. */
  reset(): void {
    this.#listing++;
    this.#opening++;
    [this.conversations, this.cursor, this.isLoading, this.problem, this.thread] = [[], null, true, null, null];
    this.#arrived.clear();
    this.recordings.clear();
    this.contacts.clear();
    this.#onChange();
  }

  /** Shows other conversations. The open one stays open. */
  async show(filter: Filter): Promise<void> {
    [this.filter, this.conversations, this.cursor, this.isLoading] = [filter, [], null, true];
    this.#onChange();
    await this.refresh();
  }

  setLive(state: LiveState): void {
    this.live = state;
    this.#onChange();
  }

  setProblem(problem: Problem): void {
    this.problem = problem;
    this.#onChange();
  }

  /** Reads the newest conversations and, if one is open, its latest items. */
  async refresh(): Promise<void> {
    const listing = ++this.#listing;
    try {
      const page = await this.#list();
      if (listing !== this.#listing) return;
      const newest = new Set(page.data.map(({ id }) => id));
      const older = this.conversations.filter(({ id }) => !newest.has(id));
      if (older.length === 0 || this.cursor === null) this.cursor = page.next_cursor;
      this.conversations = [...page.data, ...older];
      this.problem = null;
      void this.#readContacts(page.data);
    } catch (error) {
      this.problem = problemOf(error);
    }
    this.isLoading = false;
    this.#onChange();
    if (this.thread?.conversation) await this.#readThread(this.thread.conversation.id);
  }

  async loadMore(): Promise<void> {
    if (this.cursor === null) return;
    try {
      const page = await this.#list(this.cursor);
      const known = new Set(this.conversations.map(({ id }) => id));
      this.conversations = [...this.conversations, ...page.data.filter(({ id }) => !known.has(id))];
      this.cursor = page.next_cursor;
      void this.#readContacts(page.data);
    } catch (error) {
      this.problem = problemOf(error);
    }
    this.#onChange();
  }

  #readContacts(conversations: readonly Conversation[]): Promise<void> {
    return this.contacts.read(
      conversations.map(({ external_number: number, contact_id: contactId }) => ({ number, contactId })),
    );
  }

  async open(conversation: Conversation): Promise<void> {
    this.#arrived.delete(conversation.id);
    this.thread = { conversation, items: [], cursor: null, isLoading: true, problem: null };
    this.#onChange();
    await Promise.all([this.#readThread(conversation.id), this.#markRead()]);
  }

  /** True if the session's reader, or this page, has not shown everything of the conversation. */
  isUnread({ id, unread_count }: Conversation): boolean {
    return unread_count === undefined ? this.#arrived.has(id) : unread_count > 0;
  }

  /** Changes the open conversation. */
  async change(changed: UpdateConversation): Promise<void> {
    const id = this.thread?.conversation?.id;
    if (id === undefined) return;
    try {
      await this.#api.patch(`/conversations/${id}`, changed);
      this.#setThread({ problem: null });
    } catch (error) {
      this.#setThread({ problem: problemOf(error) });
    }
    await this.#readConversation(id);
  }

  /** Opens an empty thread for a text to a number. */
  async openNew(): Promise<void> {
    this.#opening++;
    this.thread = { conversation: null, items: [], cursor: null, isLoading: false, problem: null };
    this.#onChange();
    try {
      const { data } = await this.#api.get<Page<PhoneNumber>>('/phone_numbers', { limit: 100 });
      this.numbers = data.filter(({ status, capabilities }) => status === 'active' && capabilities.includes('sms'));
    } catch (error) {
      this.#setThread({ problem: problemOf(error) });
    }
    this.#onChange();
  }

  close(): void {
    this.#opening++;
    this.thread = null;
    this.#onChange();
  }

  /** Reads the items before the shown items. */
  async loadEarlier(): Promise<void> {
    const { conversation, cursor } = this.thread ?? {};
    if (!conversation || !cursor) return;
    try {
      const page = await this.#timeline(conversation.id, cursor);
      if (this.thread?.conversation?.id !== conversation.id) return;
      this.#setThread({ items: merge(page.data, this.thread.items), cursor: page.next_cursor });
    } catch (error) {
      this.#setThread({ problem: problemOf(error) });
    }
  }

  /** Shows a text that was just sent, and opens its conversation. */
  async addSent(message: Message): Promise<void> {
    if (this.thread?.conversation?.id === message.conversation_id) {
      this.#setThread({ items: merge(this.thread.items, [message]) });
      return;
    }
    if (this.thread?.conversation || message.conversation_id === null) return;
    const conversation = await this.#readConversation(message.conversation_id);
    if (conversation !== undefined) await this.open(conversation);
  }

  /** Shows a note that was just saved. */
  addNote(note: Note): void {
    if (this.thread?.conversation?.id === note.conversation_id)
      this.#setThread({ items: merge(this.thread.items, [note]) });
  }

  async playRecording(id: string): Promise<void> {
    try {
      const { audio_url } = await this.#api.get<{ audio_url: string }>(`/recordings/${id}`);
      this.recordings.set(id, audio_url);
      this.#onChange();
    } catch (error) {
      this.#setThread({ problem: problemOf(error) });
    }
  }

  /** Handles an event of the tenant. Its type decides what is read again. */
  async take({ type, data, resource_id }: Event): Promise<void> {
    if (type === 'conversation.updated') return await this.#takeChange(resource_id, data);
    const about = data as { object?: string; conversation_id?: string | null; external_number?: string; body?: string };
    if (type === 'opt_out.created' || type === 'opt_out.removed') return await this.#takeOptOut(about.external_number);
    if (typeof about.conversation_id !== 'string') return;
    const id = about.conversation_id;
    const isOpen = this.#isOpen(id);
    const isInbound = type === 'message.received' || type === 'call.missed' || type === 'voicemail.created';
    if (isInbound && !isOpen) this.#arrived.add(id);
    if (isOpen && about.object === 'message') {
      this.#setThread({ items: merge(this.thread?.items ?? [], [data as Message]) });
    }
    const conversation = await this.#readConversation(id);
    if (isOpen && about.object !== 'message') await this.#readThread(id);
    if (type !== 'message.received' || conversation === undefined) return;
    this.#onArrival(conversation.external_number, about.body ?? '');
  }

  async #takeChange(id: string, { changed }: { changed?: readonly string[] }): Promise<void> {
    await this.#readConversation(id);
    if (changed?.includes('notes') && this.#isOpen(id)) await this.#readThread(id, true);
  }

  async #takeOptOut(number: string | undefined): Promise<void> {
    const changed = this.conversations.filter((conversation) => conversation.external_number === number);
    for (const { id } of changed) await this.#readConversation(id);
  }

  /** Reads a conversation again, and moves it to its place in the list. */
  async #readConversation(id: string): Promise<Conversation | undefined> {
    try {
      const conversation = await this.#api.get<Conversation>(`/conversations/${id}`);
      const others = this.conversations.filter((other) => other.id !== id);
      // A conversation stays in the list of unread ones while the person reads it.
      const isListed =
        suits(this.filter, conversation, this.#reader()) || (this.filter === 'unread' && this.#isOpen(id));
      this.conversations = [...others, ...(isListed ? [conversation] : [])].sort((left, right) =>
        right.last_activity_at.localeCompare(left.last_activity_at),
      );
      if (this.thread !== null && this.#isOpen(id)) this.thread = { ...this.thread, conversation };
      const named = this.#readContacts([conversation]);
      this.#onChange();
      await Promise.all([named, this.#markRead()]);
      return conversation;
    } catch (error) {
      this.problem = problemOf(error);
      this.#onChange();
      return undefined;
    }
  }

  /** If the open conversation has something unread, records that the session's reader has seen it. */
  async #markRead(): Promise<void> {
    const { conversation } = this.thread ?? {};
    if (!conversation || (conversation.unread_count ?? 0) === 0) return;
    try {
      await this.#api.post(`/conversations/${conversation.id}/read`);
    } catch (error) {
      return this.#setThread({ problem: problemOf(error) });
    }
    const read = { ...conversation, unread_count: 0 };
    this.conversations = this.conversations.map((known) => (known.id === read.id ? read : known));
    if (this.thread?.conversation?.id === read.id) this.thread = { ...this.thread, conversation: read };
    this.#onChange();
  }

  /** @param dropsNotes removes shown notes that were deleted */
  async #readThread(id: string, dropsNotes = false): Promise<void> {
    const opening = ++this.#opening;
    try {
      const page = await this.#timeline(id);
      if (opening !== this.#opening || this.thread?.conversation?.id !== id) return;
      const isFirst = this.thread.items.length === 0;
      const known = dropsNotes ? dropDeletedNotes(this.thread.items, page.data) : this.thread.items;
      const items = merge(known, page.data);
      this.#setThread({ items, isLoading: false, problem: null, ...(isFirst && { cursor: page.next_cursor }) });
    } catch (error) {
      if (opening === this.#opening) this.#setThread({ isLoading: false, problem: problemOf(error) });
    }
  }

  #isOpen = (id: string): boolean => this.thread?.conversation?.id === id;

  #list(after?: string): Promise<Page<Conversation>> {
    return this.#api.get('/conversations', {
      limit: PAGE_ROWS,
      after,
      tenant_id: this.#tenant(),
      ...queryOf(this.filter, this.#reader()),
    });
  }

  #timeline(id: string, after?: string): Promise<Page<Item>> {
    return this.#api.get(`/conversations/${id}/timeline`, { limit: PAGE_ROWS, after });
  }

  #setThread(change: Partial<Thread>): void {
    if (this.thread !== null) this.thread = { ...this.thread, ...change };
    this.#onChange();
  }
}
