/** The composer: the text, the server's verdict on it, and sending. */
import type { CheckMessageReply, Message } from '@dialplane/sdk';
import { type Api, newKey, problemOf } from '../api.ts';
import type { OwnProblem, Problem } from '../texts/texts.ts';

/** `from` and `to` of the text that the person is writing; null until both are known. */
export type Recipient = { readonly from: string; readonly to: string };

const CHECK_AFTER_MS = 250;
/** The longest text that the API takes. */
export const BODY_CHARS_MAX = 1_600;

export class Composer {
  text = '';
  /** The verdict on the present text; null while the text is empty or being checked for the first time. */
  verdict: Pick<CheckMessageReply, 'accepted' | 'segments' | 'encoding' | 'error'> | null = null;
  isSending = false;
  problem: Problem | null = null;
  readonly #api: Api;
  readonly #onChange: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checks = 0;
  /** The recipient for the verdict. */
  #recipient: Recipient | null = null;
  /** One text has one key, so that it is sent only once if it is repeated after a lost answer. */
  #key: string | undefined;

  constructor(api: Api, onChange: () => void) {
    this.#api = api;
    this.#onChange = onChange;
  }

  /** Takes a changed text, and requests its verdict after a pause. */
  write(text: string, recipient: Recipient | null): void {
    this.text = text;
    this.problem = null;
    this.#key = undefined;
    this.#planCheck(recipient);
    this.#onChange();
  }

  /** Sets the recipient of a text that was written before the sending number was known. */
  aim(recipient: Recipient | null): void {
    if (this.#recipient !== null || recipient === null || this.text === '') return;
    this.problem = null;
    this.#planCheck(recipient);
  }

  /** Shows why the text cannot be sent. */
  refuse(code: OwnProblem): void {
    this.problem = { code };
    this.#onChange();
  }

  #planCheck(recipient: Recipient | null): void {
    this.#recipient = recipient;
    const check = ++this.#checks;
    clearTimeout(this.#timer);
    if (this.text.trim() === '' || recipient === null) this.verdict = null;
    else this.#timer = setTimeout(() => void this.#check(check, recipient), CHECK_AFTER_MS);
  }

  clear(): void {
    this.write('', null);
  }

  /** Sends the text. Resolves with the message, or with undefined if it was refused; `problem` says why. */
  async send({ from, to }: Recipient): Promise<Message | undefined> {
    if (this.text.trim() === '' || this.isSending) return undefined;
    this.isSending = true;
    this.problem = null;
    this.#onChange();
    this.#key ??= newKey();
    try {
      const message = await this.#api.post<Message>('/messages', { from, to, body: this.text }, this.#key);
      this.clear();
      return message;
    } catch (error) {
      this.problem = problemOf(error, 'text_not_sent');
      return undefined;
    } finally {
      this.isSending = false;
      this.#onChange();
    }
  }

  async #check(check: number, { from, to }: Recipient): Promise<void> {
    try {
      const verdict = await this.#api.post<CheckMessageReply>('/messages/check', { from, to, body: this.text });
      if (check === this.#checks) this.verdict = verdict;
    } catch {
      // The counter stays without a verdict. If the error persists, sending reports it.
      if (check === this.#checks) this.verdict = null;
    }
    this.#onChange();
  }
}
