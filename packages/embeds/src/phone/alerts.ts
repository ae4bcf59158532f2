/**
 * Announces an incoming call to a person who looks at another page: by the title of this page, and by a notification.
 */

export type Ringing = { readonly id: string; readonly text: string };

export class Alerts {
  #call: Ringing | undefined;
  #title = '';
  #notification: Notification | undefined;

  /** True if the browser has not asked the person yet whether this page may show notifications. */
  get mayAsk(): boolean {
    return 'Notification' in globalThis && Notification.permission === 'default';
  }

  /** Asks the person. Call it from a click, because browsers require one. */
  async ask(): Promise<void> {
    await Notification.requestPermission();
  }

  /** Shows a ringing call, until `stop` or another call. */
  start(call: Ringing): void {
    if (this.#call?.id === call.id) {
      this.#reword(call);
      return;
    }
    this.stop();
    this.#call = call;
    this.#title = document.title;
    document.title = call.text;
    if (!document.hasFocus()) this.#notify(call);
  }

  stop(): void {
    const call = this.#call;
    if (call === undefined) return;
    this.#call = undefined;
    // The page may have changed its title in the meantime.
    if (document.title === call.text) document.title = this.#title;
    this.#notification?.close();
    this.#notification = undefined;
  }

  /** Changes the title of the page to the new language. A notification that is already shown does not change. */
  #reword(call: Ringing): void {
    if (document.title === this.#call?.text) document.title = call.text;
    this.#call = call;
  }

  #notify({ id, text }: Ringing): void {
    if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
    try {
      const shown = new Notification(text, { tag: `dialplane-${id}`, requireInteraction: true });
      shown.onclick = () => {
        window.focus();
        shown.close();
      };
      this.#notification = shown;
    } catch {
      // Browsers of phones show only notifications of service workers. The title and the ringing still announce the
      // call.
    }
  }
}
