import { chooseLocale, type Locale, statedLanguage, watchLanguage } from '@dialplane/i18n';
import { LitElement, type PropertyValues } from 'lit';
import { Api } from './api.ts';
import { type Texts, textsOf } from './texts/texts.ts';

/** The reply to POST /v1/browser_sessions, which the page gets from its server. */
export type SessionLike = {
  readonly token: string;
  readonly tenant_id?: string;
  readonly expires_at?: string;
  readonly abilities?: readonly string[];
  readonly web_client_id?: string | null;
  readonly reader?: string | null;
};

/** Gets another session, or only its token. */
export type Renew = () => Promise<SessionLike | string>;

/** A session is replaced this long before its end. */
const AHEAD_MS = 60_000;
/** The time limit for `renew`, or a listener of `token-expiring`, to give a new token. */
const ANSWER_WITHIN_MS = 15_000;
/** The longest delay of a browser's timer. */
const TIMER_MS_MAX = 2_147_483_647;

/** The common parts of both elements: the address, the token, and its renewal. */
export abstract class EmbedElement extends LitElement {
  static override properties = {
    baseUrl: { attribute: 'base-url' },
    language: {},
    tenant: {},
    token: { attribute: false },
    session: { attribute: false },
    renew: { attribute: false },
  };

  /** The address of the installation. */
  declare baseUrl: string;
  /** The language of the element, such as `es`. Default: the language of the page, or else the browser's. */
  declare language: string | null | undefined;
  /**
   * The token of a browser session. It is not an attribute, because a page's HTML is stored and logged in many places.
   */
  declare token: string | undefined;
  /** The whole session, in place of `token`. The element uses its end and its abilities. */
  declare session: SessionLike | undefined;
  /** Called shortly before the session ends, and when it was refused. */
  declare renew: Renew | undefined;
  /** The tenant of the page. If the session belongs to another tenant, its data is not shown. */
  declare tenant: string | undefined;

  protected readonly api = new Api({
    baseUrl: () => this.baseUrl.replace(/\/+$/, ''),
    token: () => this.token,
    renewToken: () => this.renewToken(),
  });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #renewing: Promise<boolean> | undefined;
  #onToken: (() => void) | undefined;
  #tenantId: string | undefined;
  #locale: Locale | undefined;
  #texts: Texts | undefined;
  #stopWatching: (() => void) | undefined;

  constructor() {
    super();
    this.baseUrl = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopWatching = watchLanguage(this, () => this.requestUpdate());
    this.requestUpdate();
    // Otherwise the first update calls `begin`.
    if (this.hasUpdated && this.isReady) this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopWatching?.();
    clearTimeout(this.#timer);
    this.end();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('session') && this.session !== undefined) this.token = this.session.token;
    if (!changed.has('token') && !changed.has('baseUrl')) return;
    this.#plan();
    this.#onToken?.();
    if (!this.isReady) this.end();
    // The next request uses a renewed token.
    const isFirst = changed.has('token') && changed.get('token') === undefined;
    const isOther = changed.has('baseUrl') || this.session?.tenant_id !== this.#tenantId;
    this.#tenantId = this.session?.tenant_id;
    if ((isFirst || isOther) && this.isReady && this.isConnected) this.begin();
  }

  /** The texts in the language of the element. */
  protected get texts(): Texts {
    const locale = chooseLocale(this.language || statedLanguage(this), navigator.languages);
    if (this.#texts === undefined || this.#locale?.tag !== locale.tag) this.#texts = textsOf(locale);
    this.#locale = locale;
    return this.#texts;
  }

  protected get isReady(): boolean {
    return this.token !== undefined && this.baseUrl !== '';
  }

  /** True unless the session certainly lacks the ability. */
  protected may(ability: string): boolean {
    return this.session?.abilities?.includes(ability) ?? true;
  }

  /** Starts the element. Starts it again after a change of the session or the address. */
  protected abstract begin(): void;
  protected abstract end(): void;

  /** Dispatches an event that leaves the shadow tree. */
  protected emit(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  /** Asks the page for another token. Resolves with false if it gives none. */
  renewToken(): Promise<boolean> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<boolean> {
    const before = this.token;
    let limit: ReturnType<typeof setTimeout> | undefined;
    const isOver = new Promise<void>((resolve) => {
      this.#onToken = resolve;
      limit = setTimeout(resolve, ANSWER_WITHIN_MS);
    });
    this.emit('token-expiring', { expiresAt: this.session?.expires_at ?? null });
    try {
      await Promise.race([this.#askPage(before, isOver), isOver]);
      await this.updateComplete;
    } catch (error) {
      this.emit('session-lost', { error });
    }
    clearTimeout(limit);
    return this.token !== undefined && this.token !== before;
  }

  /**
   * Takes the result of `renew`, or reports its failure, even after the time limit. If there already is another token,
   * ignores both.
   */
  async #askPage(before: string | undefined, isOver: Promise<void>): Promise<void> {
    let given: Awaited<ReturnType<NonNullable<typeof this.renew>>> | undefined;
    try {
      given = await this.renew?.();
    } catch (error) {
      if (this.token === before) this.emit('session-lost', { error });
      return;
    }
    if (given === undefined) return isOver;
    if (this.token !== before) return;
    if (typeof given === 'string') this.token = given;
    else this.session = given;
  }

  #plan(): void {
    clearTimeout(this.#timer);
    const endsAt = Date.parse(this.session?.token === this.token ? (this.session?.expires_at ?? '') : '');
    if (Number.isNaN(endsAt)) return;
    const leftMs = endsAt - Date.now();
    // A session that lasts two minutes is renewed after half of its time.
    const waitMs = Math.max(0, leftMs - Math.min(AHEAD_MS, leftMs / 2));
    this.#timer = setTimeout(() => void this.renewToken(), Math.min(waitMs, TIMER_MS_MAX));
  }
}
