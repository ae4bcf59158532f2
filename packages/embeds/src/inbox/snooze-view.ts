/** The field for the time until which a conversation waits. */
import type { Conversation } from '@dialplane/sdk';
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatClock, formatWhen } from '../format.ts';
import type { Texts } from '../texts/texts.ts';
import type { InboxModel } from './model.ts';

const HOUR_MS = 3_600_000;
const LENGTHS_MS = { hour: HOUR_MS, hours: 4 * HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const;
const AWAKE = 'awake';

/** Shows until when a conversation waits, with choices for the length of a snooze, or for its end. */
export function snoozeView(texts: Texts, model: InboxModel, conversation: Conversation): TemplateResult {
  const { work } = texts;
  const { snoozed_until } = conversation;
  const isSnoozed = snoozed_until !== null;
  const choose = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    void model.change({
      snoozed_until: value === AWAKE ? null : endOf(value as keyof typeof LENGTHS_MS, conversation),
    });
  };
  const current = isSnoozed ? work.snoozedUntil(momentOf(texts, snoozed_until)) : work.snooze;
  return html`<label>
    <span class="hidden">${work.snooze}</span>
    <select class="field small" .value=${live('')} @change=${choose}>
      <option value="" selected>${current}</option>
      ${isSnoozed ? html`<option value=${AWAKE}>${work.endSnooze}</option>` : ''}
      ${Object.keys(LENGTHS_MS).map((length) => html`<option value=${length}>${work.lengths[length as keyof typeof LENGTHS_MS]}</option>`)}
    </select>
  </label>`;
}

/** A snooze starts now. If the clock of a test ledger is ahead of the browser's, it starts at the last activity. */
function endOf(length: keyof typeof LENGTHS_MS, { last_activity_at }: Conversation): string {
  return new Date(Math.max(Date.now(), Date.parse(last_activity_at)) + LENGTHS_MS[length]).toISOString();
}

/** Returns the time of a moment today, and the date and time of any other moment. */
function momentOf(texts: Texts, at: string): string {
  const [day, clock] = [formatWhen(texts, at), formatClock(texts, at)];
  return day === clock ? clock : `${day}, ${clock}`;
}
