/** The items of a thread: texts, calls, voicemails and notes. All text is shown as text. */
import type { Call, Message, Note, Voicemail } from '@dialplane/sdk';
import { html, nothing, type TemplateResult } from 'lit';
import { formatClock, formatDuration } from '../format.ts';
import { ICONS } from '../icons.ts';
import { type InboxModel, type Item, momentOf } from './model.ts';

const STATUS: Readonly<Record<string, string>> = {
  scheduled: 'Scheduled',
  queued: 'Sending…',
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Not delivered',
  canceled: 'Canceled',
};

export function itemView(model: InboxModel, item: Item): TemplateResult {
  if (item.object === 'message') return messageView(item);
  if (item.object === 'note') return noteView(item);
  return item.object === 'call' ? callView(model, item) : voicemailView(item);
}

const time = (item: Item) => html`<time datetime=${momentOf(item)}>${formatClock(momentOf(item))}</time>`;

function messageView(message: Message): TemplateResult {
  const { direction, body, media, status, error_code, group } = message;
  const isOut = direction === 'outbound';
  const failed = status === 'failed';
  return html`<li class="entry ${isOut ? 'out' : 'in'}">
    <div class="bubble" part=${isOut ? 'bubble bubble-out' : 'bubble bubble-in'}>
      <span class="hidden">${isOut ? 'You wrote:' : 'They wrote:'}</span>
      ${media.map((file, at) => mediaView(file, at))}
      ${body === '' ? nothing : html`<p class="text">${body}</p>`}
    </div>
    <p class="meta ${failed ? 'error' : 'muted'}">
      ${time(message)}${group ? ' · Group text' : nothing}${isOut ? ` · ${STATUS[status] ?? status}` : nothing}${
        failed && error_code !== null ? ` (${error_code.replaceAll('_', ' ')})` : nothing
      }
    </p>
  </li>`;
}

function mediaView({ url, content_type: type }: Message['media'][number], at: number): TemplateResult {
  const label = `Attachment ${at + 1}`;
  // What a person sends may name any address: only the web's own are opened.
  if (!/^https?:\/\//.test(url)) return html`<p class="muted">${label}</p>`;
  if (type?.startsWith('image/')) {
    return html`<a href=${url} target="_blank" rel="noopener noreferrer"
      ><img src=${url} alt=${`${label}, a picture`} loading="lazy" referrerpolicy="no-referrer"
    /></a>`;
  }
  if (type?.startsWith('audio/')) return html`<audio controls preload="none" src=${url} aria-label=${label}></audio>`;
  if (type?.startsWith('video/')) return html`<video controls preload="none" src=${url} aria-label=${label}></video>`;
  return html`<p><a href=${url} target="_blank" rel="noopener noreferrer">${label}${type ? ` (${type})` : ''}</a></p>`;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  voicemail: 'Went to voicemail',
  missed: 'Missed call',
  no_answer: 'No answer',
  busy: 'Busy',
  canceled: 'Canceled',
  failed: 'Call failed',
  no_application: 'Call failed',
};

function titleOf({ direction, outcome, status }: Call): string {
  if (outcome === null) return status === 'in_progress' ? 'Call in progress' : 'Ringing…';
  if (outcome !== 'answered') return OUTCOMES[outcome] ?? 'Call';
  return direction === 'inbound' ? 'Incoming call' : 'Outgoing call';
}

function callView(model: InboxModel, call: Call): TemplateResult {
  const { direction, outcome, duration_seconds, recording_id, summary } = call;
  const missed = direction === 'inbound' && (outcome === 'missed' || outcome === 'no_answer');
  return html`<li class="entry event">
    <div class="card ${missed ? 'missed' : ''}" part="call">
      ${ICONS.phone}
      <div>
        <p>
          <strong>${titleOf(call)}</strong>${outcome === 'answered' ? `, ${formatDuration(duration_seconds)}` : nothing}
        </p>
        ${summary === null ? nothing : html`<p class="small">${summary}</p>`}
        ${recording_id === null ? nothing : recordingView(model, recording_id)}
        <p class="meta muted">${time(call)}</p>
      </div>
    </div>
  </li>`;
}

function recordingView(model: InboxModel, id: string): TemplateResult {
  const url = model.recordings.get(id);
  if (url === undefined) {
    return html`<button class="plain small" type="button" @click=${() => model.playRecording(id)}>
      Play recording
    </button>`;
  }
  return html`<audio controls autoplay src=${url} aria-label="Recording of the call"></audio>`;
}

function voicemailView(voicemail: Voicemail): TemplateResult {
  const { duration_seconds, transcript, audio_url } = voicemail;
  return html`<li class="entry event">
    <div class="card" part="voicemail">
      ${ICONS.voicemail}
      <div>
        <p><strong>Voicemail</strong>, ${formatDuration(duration_seconds)}</p>
        ${transcript === null ? nothing : html`<p class="small">${transcript}</p>`}
        <audio controls preload="none" src=${audio_url} aria-label="Voicemail"></audio>
        <p class="meta muted">${time(voicemail)}</p>
      </div>
    </div>
  </li>`;
}

/** A note has a form of its own and says that it was not sent, so that nobody takes it for a text. */
function noteView(note: Note): TemplateResult {
  const { author, body } = note;
  return html`<li class="entry event">
    <div class="card note" part="note">
      <div>
        <p class="small"><strong>Note${author === null ? nothing : ` of ${author}`}</strong>, not sent</p>
        <p class="text">${body}</p>
        <p class="meta muted">${time(note)}</p>
      </div>
    </div>
  </li>`;
}
