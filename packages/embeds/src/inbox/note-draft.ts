/** The note about the open conversation that the person is writing for the team. */
import type { Note } from '@dialplane/sdk';
import { type Api, newKey, problemOf } from '../api.ts';
import type { Problem } from '../texts/texts.ts';

/** The longest note that the API takes. */
export const NOTE_CHARS_MAX = 4_000;

export class NoteDraft {
  text = '';
  isOpen = false;
  isSaving = false;
  problem: Problem | null = null;
  readonly #api: Api;
  readonly #onChange: () => void;
  /** One note has one key, so that it is saved only once if it is repeated after a lost answer. */
  #key: string | undefined;

  constructor(api: Api, onChange: () => void) {
    this.#api = api;
    this.#onChange = onChange;
  }

  /** Opens or closes the form. The draft stays. */
  toggle(): void {
    this.isOpen = !this.isOpen;
    this.#onChange();
  }

  write(text: string): void {
    this.text = text;
    this.problem = null;
    this.#key = undefined;
    this.#onChange();
  }

  clear(): void {
    this.write('');
    this.isOpen = false;
  }

  /** Saves the note. Resolves with the note, or with undefined if it was refused; `problem` says why. */
  async save(conversationId: string, author: string | null): Promise<Note | undefined> {
    if (this.text.trim() === '' || this.isSaving) return undefined;
    this.isSaving = true;
    this.problem = null;
    this.#onChange();
    this.#key ??= newKey();
    const key = this.#key;
    try {
      const body = { body: this.text, ...(author !== null && { author }) };
      const note = await this.#api.post<Note>(`/conversations/${conversationId}/notes`, body, key);
      // The form may by now belong to another conversation.
      if (this.#key === key) this.clear();
      return note;
    } catch (error) {
      this.problem = problemOf(error, 'note_not_saved');
      return undefined;
    } finally {
      this.isSaving = false;
      this.#onChange();
    }
  }
}
