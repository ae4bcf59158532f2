/** `<dialplane-phone>`: one person's softphone on a page of the platform. */
import { html } from 'lit';
import { Contacts } from '../contacts.ts';
import { EmbedElement } from '../element.ts';
import { nameOf } from '../format.ts';
import { readNumber } from '../read-number.ts';
import { theme } from '../theme.ts';
import { Alerts } from './alerts.ts';
import { Colleagues } from './colleagues.ts';
import { Line } from './line.ts';
import { Ring } from './ring.ts';
import { styles } from './styles.ts';
import { otherOf, phoneView, progressOf } from './views.ts';

const CALL_EVENTS = { incoming: 'call-incoming', answered: 'call-answered', ended: 'call-ended' } as const;

export class DialplanePhone extends EmbedElement {
  static override styles = [theme, styles];
  static override properties = {
    ...EmbedElement.properties,
    webClient: { attribute: 'web-client' },
    silent: { type: Boolean },
    notify: { type: Boolean },
  };

  /** The id of the web client. Default: the web client of the session, or else the tenant's newest active one. */
  declare webClient: string | undefined;
  /** Plays no sound for an incoming call. */
  declare silent: boolean;
  /**
   * Shows an incoming call in the title of the page. Also shows a notification if the person has allowed notifications.
   */
  declare notify: boolean;

  readonly #ring = new Ring();
  readonly #alerts = new Alerts();
  readonly #contacts = new Contacts({
    api: this.api,
    tenant: () => this.tenant,
    mayRead: () => this.may('conversations:read'),
    onChange: () => this.requestUpdate(),
  });
  readonly #colleagues = new Colleagues(this.api, () => this.requestUpdate());
  readonly #line = new Line({
    api: this.api,
    baseUrl: () => this.baseUrl.replace(/\/+$/, ''),
    webClientId: () => this.webClient ?? this.session?.web_client_id ?? undefined,
    onChange: () => this.requestUpdate(),
    onCall: (type, { id, from, to, direction }) => this.emit(CALL_EVENTS[type], { id, from, to, direction }),
    onQuality: (id, quality) => this.emit('call-quality', { id, ...quality }),
  });
  /** The call whose other party was last looked up in the contacts. */
  #namedCall: string | undefined;
  #number = '';
  #isKeypadOpen = false;
  #isTransferOpen = false;
  #digits = '';
  #clock: ReturnType<typeof setInterval> | undefined;

  /** Dials a number, in E.164 or in the usual form of the United States. */
  async dial(to: string): Promise<void> {
    this.#number = to;
    await this.#dial();
  }

  protected begin(): void {
    this.#contacts.clear();
    this.#colleagues.clear();
    void this.#line.connect();
  }

  protected end(): void {
    this.#line.disconnect();
    this.#ring.stop();
    this.#alerts.stop();
    clearInterval(this.#clock);
    this.#clock = undefined;
  }

  protected override render() {
    const { texts } = this;
    if (!this.isReady) return html`<p class="problem muted" lang=${texts.language}>${texts.waiting}</p>`;
    return phoneView({
      texts,
      line: this.#line,
      contacts: this.#contacts,
      colleagues: this.#colleagues,
      mayDial: this.may('calls:place'),
      number: this.#number,
      onNumber: (text) => {
        this.#number = text;
        this.requestUpdate();
      },
      onDial: () => void this.#dial(),
      isKeypadOpen: this.#isKeypadOpen,
      onKeypad: () => {
        this.#isKeypadOpen = !this.#isKeypadOpen;
        this.requestUpdate();
      },
      isTransferOpen: this.#isTransferOpen,
      onTransfer: () => {
        this.#isTransferOpen = !this.#isTransferOpen;
        if (this.#isTransferOpen) void this.#colleagues.read(this.#line.webClientId);
        this.requestUpdate();
      },
      digits: this.#digits,
      onDigit: (digit) => {
        this.#digits += digit;
        void this.#line.sendDigits(digit);
      },
      nowMs: Date.now(),
      mayAskToNotify: this.notify === true && this.#alerts.mayAsk,
      onAskToNotify: () => void this.#alerts.ask().then(() => this.requestUpdate()),
    });
  }

  override updated(): void {
    const { active } = this.#line;
    this.#readContact(active);
    const ringing = active?.call.state === 'incoming' ? active.call : undefined;
    if (ringing !== undefined && this.silent !== true) this.#ring.start();
    else this.#ring.stop();
    if (ringing !== undefined && this.notify === true) {
      const person = nameOf(this.texts, this.#contacts, otherOf(ringing));
      this.#alerts.start({ id: ringing.id, text: `${progressOf(this.texts, ringing)} ${person}` });
    } else this.#alerts.stop();
    if (active === null) [this.#isKeypadOpen, this.#digits] = [false, ''];
    // The form is closed when its transfer has begun.
    if (active === null || active.call.transfer !== null) this.#isTransferOpen = false;
    const isTimed = active?.connectedAtMs != null;
    if (isTimed) this.#clock ??= setInterval(() => this.requestUpdate(), 1_000);
    else {
      clearInterval(this.#clock);
      this.#clock = undefined;
    }
  }

  /**
   * Reads the contact of a call's other party, once for each call, because a contact may have changed since the last
   * call.
   */
  #readContact(active: Line['active']): void {
    if (active === null || active.call.id === this.#namedCall) return;
    this.#namedCall = active.call.id;
    void this.#contacts.read([{ number: otherOf(active.call) }]);
  }

  async #dial(): Promise<void> {
    const to = readNumber(this.#number);
    await this.#line.dial(to);
    if (this.#line.active !== null) this.#number = '';
    this.requestUpdate();
  }
}
