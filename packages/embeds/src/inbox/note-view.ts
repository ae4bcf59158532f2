import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { problemText, type Texts } from '../texts/texts.ts';
import { NOTE_CHARS_MAX, type NoteDraft } from './note-draft.ts';

/**
 * The form of a note. It looks different from the form of a text and has another name, so that people do not send a
 * note by mistake.
 */
export function noteForm(texts: Texts, draft: NoteDraft, onSave: () => void): TemplateResult | typeof nothing {
  if (!draft.isOpen) return nothing;
  const { text, isSaving, problem } = draft;
  const submit = (event: Event) => {
    event.preventDefault();
    onSave();
  };
  return html`<form class="note-form" part="note-form" @submit=${submit}>
    <label for="note" class="small muted">${texts.note.label}</label>
    <textarea
      id="note"
      dir="auto"
      class="field"
      rows="2"
      maxlength=${NOTE_CHARS_MAX}
      .value=${live(text)}
      @input=${(event: Event) => draft.write((event.target as HTMLTextAreaElement).value)}
    ></textarea>
    <button class="plain" type="submit" ?disabled=${isSaving || text.trim() === ''}>${texts.note.save}</button>
    ${problem === null ? nothing : html`<p class="small error" role="alert">${problemText(texts, problem)}</p>`}
  </form>`;
}
