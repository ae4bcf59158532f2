/** The views of the phone: the field for dialling, an incoming call, and a call. */
import type { ConsultingAgent } from '@dialplane/softphone';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Contacts } from '../contacts.ts';
import { formatDuration, formatNumber, nameOf } from '../format.ts';
import { ICONS } from '../icons.ts';
import { problemText, type Texts } from '../texts/texts.ts';
import type { Colleagues } from './colleagues.ts';
import { queuesView, settingsView } from './desk-view.ts';
import type { Line, LineCall } from './line.ts';
import { transferForm, transferView } from './transfer-view.ts';

export type PhoneParts = {
  readonly texts: Texts;
  readonly line: Line;
  readonly contacts: Contacts;
  readonly colleagues: Colleagues;
  readonly mayDial: boolean;
  readonly number: string;
  readonly onNumber: (text: string) => void;
  readonly onDial: () => void;
  readonly isKeypadOpen: boolean;
  readonly onKeypad: () => void;
  readonly isTransferOpen: boolean;
  readonly onTransfer: () => void;
  /** The digits that were pressed in this call. */
  readonly digits: string;
  readonly onDigit: (digit: string) => void;
  readonly nowMs: number;
  /** True while the phone may ask the person to allow notifications. */
  readonly mayAskToNotify: boolean;
  readonly onAskToNotify: () => void;
};

export function phoneView(parts: PhoneParts): TemplateResult {
  const { texts, line } = parts;
  return html`<section class="phone" lang=${texts.language} part="phone" aria-labelledby="title">
    <header class="bar">
      <h2 id="title">${texts.phone.title}</h2>
      <span class="state ${line.state === 'ready' ? 'good' : ''}" role="status">${texts.phone.states[line.state]}</span>
    </header>
    ${queuesView(texts, line)}
    ${line.active === null ? idleView(parts) : callView(parts, line.active)}
    ${line.problem === null ? nothing : html`<p class="problem error" role="alert">${problemText(texts, line.problem)}</p>`}
    ${settingsView(texts, line, { mayAsk: parts.mayAskToNotify, onAsk: parts.onAskToNotify })}
  </section>`;
}

function idleView(parts: PhoneParts): TemplateResult {
  const { texts, line, mayDial, number, onNumber, onDial } = parts;
  const { phone } = texts;
  const { ended } = line;
  const submit = (event: Event) => {
    event.preventDefault();
    onDial();
  };
  return html`<div class="body">
    ${ended === null ? nothing : html`<p class="ended" role="status">${endOf(parts, ended)}</p>`}
    ${
      line.state === 'elsewhere' || line.state === 'out'
        ? html`<button class="primary" type="button" @click=${() => line.connect()}>
            ${line.state === 'elsewhere' ? phone.useHere : phone.connect}
          </button>`
        : html`<form class="dial" part="dial" @submit=${submit}>
            <label for="number" class="small muted">${mayDial ? phone.number : phone.emergencyNumber}</label>
            <input
              id="number"
              class="field"
              type="tel"
              autocomplete="off"
              placeholder=${mayDial ? '(602) 555-0143' : '911'}
              .value=${live(number)}
              @input=${(event: Event) => onNumber((event.target as HTMLInputElement).value)}
            />
            <button class="primary" type="submit" ?disabled=${line.state !== 'ready' || number.trim() === ''}>
              ${ICONS.phone}${phone.call}
            </button>
          </form>`
    }
  </div>`;
}

function endOf(
  { texts, contacts, colleagues }: PhoneParts,
  { call, seconds, transferredTo }: NonNullable<Line['ended']>,
): string {
  const person = nameOf(texts, contacts, otherOf(call));
  if (call.consultedBy !== null) return texts.phone.ended(labelOfAgent(texts, call.consultedBy));
  if (transferredTo !== null) {
    return texts.phone.transferred(person, colleagues.nameOf(transferredTo) ?? formatNumber(texts, transferredTo));
  }
  return seconds === null ? texts.phone.ended(person) : texts.phone.endedAfter(person, formatDuration(seconds));
}

function callView(parts: PhoneParts, active: LineCall): TemplateResult {
  const { texts, contacts } = parts;
  const { call } = active;
  const number = formatNumber(texts, otherOf(call));
  const person = nameOf(texts, contacts, otherOf(call));
  const isIncoming = call.state === 'incoming';
  return html`<div class="body call ${isIncoming ? 'ringing' : ''}">
    <p class="small muted" aria-live=${isIncoming ? 'assertive' : 'polite'}>
      ${progressOf(texts, call)}<span class="hidden"> ${person}</span>
    </p>
    <p class="other" aria-hidden="true">${person}</p>
    ${person === number ? nothing : html`<p class="small muted" part="number">${number}</p>`}
    ${isIncoming ? incomingView(texts, parts.line) : connectedView(parts, active)}
  </div>`;
}

function incomingView({ phone }: Texts, line: Line): TemplateResult {
  return html`<div class="actions">
    <button class="round danger" part="decline" type="button" @click=${line.decline}>
      ${ICONS.hangUp}<span>${phone.decline}</span>
    </button>
    <button class="round success" part="answer" type="button" @click=${line.answer}>
      ${ICONS.phone}<span>${phone.answer}</span>
    </button>
  </div>`;
}

function connectedView(parts: PhoneParts, { call, connectedAtMs }: LineCall): TemplateResult {
  const { texts, line, mayDial, isKeypadOpen, onKeypad, isTransferOpen, onTransfer, nowMs } = parts;
  const { phone } = texts;
  const isEmergency = call.to === '911' || call.to === '933';
  const isOwn = call.listener === undefined && call.consultedBy === null;
  const mayTransfer = mayDial && isOwn && call.transfer === null && !isEmergency;
  const isConnected = call.state === 'connected';
  const toggle = (options: { label: string; icon: TemplateResult; on: boolean; act: () => void }) => html`<button
    class="round"
    type="button"
    aria-pressed=${options.on ? 'true' : 'false'}
    ?disabled=${!isConnected}
    @click=${options.act}
  >
    ${options.icon}<span>${options.label}</span>
  </button>`;
  return html`${
    connectedAtMs === null
      ? nothing
      : html`<p class="timer" role="timer" aria-label=${phone.time}>
          ${formatDuration((nowMs - connectedAtMs) / 1_000)}
        </p>`
  }
  ${transferView(parts, call)} ${isTransferOpen && isConnected && mayTransfer ? transferForm(parts) : nothing}
  ${isKeypadOpen && isConnected ? keypadView(parts) : nothing}
  <div class="actions">
    ${toggle({ label: phone.mute, icon: call.muted ? ICONS.micOff : ICONS.mic, on: call.muted, act: () => line.mute(!call.muted) })}
    ${toggle({ label: phone.hold, icon: ICONS.hold, on: call.held, act: () => line.hold(!call.held) })}
    ${toggle({ label: phone.keypad, icon: ICONS.keypad, on: isKeypadOpen, act: onKeypad })}
    ${mayTransfer ? toggle({ label: phone.transfer, icon: ICONS.transfer, on: isTransferOpen, act: onTransfer }) : nothing}
    <button class="round danger" part="hang-up" type="button" @click=${line.hangUp}>
      ${ICONS.hangUp}<span>${phone.hangUp}</span>
    </button>
  </div>`;
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

function keypadView({ texts, digits, onDigit }: PhoneParts): TemplateResult {
  const { phone } = texts;
  const press = ({ key }: KeyboardEvent) => {
    if (KEYS.includes(key)) onDigit(key);
  };
  return html`<div class="keypad" part="keypad" role="group" aria-label=${phone.keypad} @keydown=${press}>
    <p class="digits" aria-label=${phone.digits}>${digits || html`&nbsp;`}</p>
    ${KEYS.map((key) => html`<button class="key" type="button" @click=${() => onDigit(key)}>${key}</button>`)}
  </div>`;
}

/** Returns the words before the name of the other party. */
export function progressOf(texts: Texts, { state, held, direction, consultedBy, queue }: LineCall['call']): string {
  const { progress } = texts.phone;
  if (consultedBy !== null) {
    const colleague = labelOfAgent(texts, consultedBy);
    return state === 'incoming' ? progress.asked(colleague) : progress.asking(colleague);
  }
  if (state === 'incoming') return queue === null ? progress.incoming : progress.incomingOf(queue.name);
  if (state === 'connected') return held ? progress.held : progress.connected;
  return direction === 'outbound' && state === 'ringing' ? progress.ringing : progress.calling;
}

const labelOfAgent = (texts: Texts, { agent, name }: ConsultingAgent): string => name ?? formatNumber(texts, agent);

/** The number of the other party. */
export function otherOf({ direction, from, to }: LineCall['call']): string {
  return direction === 'inbound' ? from : to;
}
