/** The items of a thread: texts, calls, voicemails and notes. All text is shown as text. */
import { lookUp } from '@dialplane/i18n';
import type { Call, Message, Note, Voicemail } from '@dialplane/sdk';
import { html, nothing, type TemplateResult } from 'lit';
import { formatClock, formatDuration, formatWhen } from '../format.ts';
import { ICONS } from '../icons.ts';
import type { Texts } from '../texts/texts.ts';
import { callbackOf, calledBackAt, type Item, momentOf } from './items.ts';
import type { InboxModel } from './model.ts';

export function itemView(texts: Texts, model: InboxModel, item: Item): TemplateResult {
  if (item.object === 'message') return messageView(texts, item);
  if (item.object === 'note') return noteView(texts, item);
  return item.object === 'call' ? callView(texts, model, item) : voicemailView(texts, item);
}

const time = (texts: Texts, item: Item) =>
  html`<time datetime=${momentOf(item)}>${formatClock(texts, momentOf(item))}</time>`;

function messageView(texts: Texts, message: Message): TemplateResult {
  const { you, they, group: groupText, statuses, failures } = texts.message;
  const { direction, body, media, status, error_code, group } = message;
  const isOut = direction === 'outbound';
  const failed = status === 'failed';
  return html`<li class="entry ${isOut ? 'out' : 'in'}">
    <div class="bubble" part=${isOut ? 'bubble bubble-out' : 'bubble bubble-in'}>
      <span class="hidden">${isOut ? you : they}</span>
      ${media.map((file, at) => mediaView(texts, file, at + 1))}
      ${body === '' ? nothing : html`<p class="text" dir="auto">${body}</p>`}
    </div>
    <p class="meta ${failed ? 'error' : 'muted'}">
      ${time(texts, message)}${group ? ` · ${groupText}` : nothing}${
        isOut ? ` · ${lookUp(statuses, status) ?? status}` : nothing
      }${failed && error_code !== null ? ` (${lookUp(failures, error_code) ?? error_code.replaceAll('_', ' ')})` : nothing}
    </p>
  </li>`;
}

function mediaView(texts: Texts, file: Message['media'][number], at: number): TemplateResult {
  const { url, content_type: type } = file;
  const label = texts.message.attachment(at);
  // A person's text may contain any address. Only web addresses become links.
  if (!/^https?:\/\//.test(url)) return html`<p class="muted">${label}</p>`;
  if (type?.startsWith('image/')) {
    return html`<a href=${url} target="_blank" rel="noopener noreferrer"
      ><img src=${url} alt=${texts.message.picture(at)} loading="lazy" referrerpolicy="no-referrer"
    /></a>`;
  }
  if (type?.startsWith('audio/')) return html`<audio controls preload="none" src=${url} aria-label=${label}></audio>`;
  if (type?.startsWith('video/')) return html`<video controls preload="none" src=${url} aria-label=${label}></video>`;
  return html`<p><a href=${url} target="_blank" rel="noopener noreferrer">${label}${type ? ` (${type})` : ''}</a></p>`;
}

function titleOf({ call }: Texts, shown: Call): string {
  const { direction, outcome, status } = shown;
  const queue = callbackOf(shown)?.detail['queue_name'];
  if (callbackOf(shown) !== undefined) return typeof queue === 'string' ? call.callbackIn(queue) : call.callback;
  if (outcome === null) return status === 'in_progress' ? call.inProgress : call.ringing;
  if (outcome !== 'answered') return lookUp(call.outcomes, outcome) ?? call.other;
  return direction === 'inbound' ? call.incoming : call.outgoing;
}

function callView(texts: Texts, model: InboxModel, call: Call): TemplateResult {
  const { direction, outcome, duration_seconds, recording_id, summary } = call;
  const missed = direction === 'inbound' && (outcome === 'missed' || outcome === 'no_answer');
  return html`<li class="entry event">
    <div class="card ${missed ? 'missed' : ''}" part="call">
      ${ICONS.phone}
      <div>
        <p>
          <strong>${titleOf(texts, call)}</strong>${outcome === 'answered' ? `, ${formatDuration(duration_seconds)}` : nothing}
        </p>
        ${callbackOf(call) === undefined ? nothing : html`<p class="small">${calledBack(texts, model, call)}</p>`}
        ${summary === null ? nothing : html`<p class="small" dir="auto">${summary}</p>`}
        ${recording_id === null ? nothing : recordingView(texts, model, recording_id)}
        <p class="meta muted">${time(texts, call)}</p>
      </div>
    </div>
  </li>`;
}

/** Shows when a caller who requested a callback was called back. */
function calledBack(texts: Texts, { thread }: InboxModel, call: Call): string {
  const at = calledBackAt(thread?.items ?? [], call);
  if (at === undefined) return texts.call.notCalledBack;
  const [day, clock] = [formatWhen(texts, at), formatClock(texts, at)];
  return texts.call.calledBack(day === clock ? clock : `${day}, ${clock}`);
}

function recordingView({ call }: Texts, model: InboxModel, id: string): TemplateResult {
  const url = model.recordings.get(id);
  if (url === undefined) {
    return html`<button class="plain small" type="button" @click=${() => model.playRecording(id)}>
      ${call.play}
    </button>`;
  }
  return html`<audio controls autoplay src=${url} aria-label=${call.recording}></audio>`;
}

function voicemailView(texts: Texts, voicemail: Voicemail): TemplateResult {
  const title = texts.call.voicemail;
  const { duration_seconds, transcript, audio_url } = voicemail;
  return html`<li class="entry event">
    <div class="card" part="voicemail">
      ${ICONS.voicemail}
      <div>
        <p><strong>${title}</strong>, ${formatDuration(duration_seconds)}</p>
        ${transcript === null ? nothing : html`<p class="small" dir="auto">${transcript}</p>`}
        <audio controls preload="none" src=${audio_url} aria-label=${title}></audio>
        <p class="meta muted">${time(texts, voicemail)}</p>
      </div>
    </div>
  </li>`;
}

/** A note looks different from a text and says that it was not sent, so that people do not mistake it for a text. */
function noteView(texts: Texts, note: Note): TemplateResult {
  const { title, titleOf: titleWith, notSent } = texts.note;
  const { author, body } = note;
  return html`<li class="entry event">
    <div class="card note" part="note">
      <div>
        <p class="small"><strong>${author === null ? title : titleWith(author)}</strong>, ${notSent}</p>
        <p class="text" dir="auto">${body}</p>
        <p class="meta muted">${time(texts, note)}</p>
      </div>
    </div>
  </li>`;
}
