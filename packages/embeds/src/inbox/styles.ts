import { css } from 'lit';

export const styles = css`
  :host {
    height: var(--dialplane-height, 36rem);
    min-height: 20rem;
  }
  .inbox {
    display: grid;
    grid-template-columns: minmax(15rem, 21rem) 1fr;
    height: 100%;
  }
  .list,
  .thread {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
  }
  .list {
    border-inline-end: 1px solid var(--_border);
    background: var(--_surface);
  }
  .bar {
    display: flex;
    flex: none;
    align-items: center;
    gap: 0.5em;
    min-height: 3.5em;
    padding: 0.5em 0.75em 0.5em 1em;
    border-block-end: 1px solid var(--_border);
  }
  .bar h2 {
    flex: 1;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .bar h2:focus {
    outline: none;
  }
  .list .icon:hover {
    background: var(--_raised);
  }
  .back {
    display: none;
    margin-inline-start: -0.5em;
  }
  .note {
    padding: 0.75em 1em;
  }
  .thread > .note.error {
    border-block-start: 1px solid var(--_border);
  }
  .filter {
    flex: none;
    padding: 0.5em 0.75em 0;
  }
  .filter select {
    width: 100%;
  }
  .items {
    flex: 1;
    overflow-y: auto;
    padding: 0.375em;
  }
  .item {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0.1em 0.75em;
    width: 100%;
    margin-block-end: 0.125em;
    padding: 0.6em 0.75em;
    border: 0;
    border-radius: calc(var(--_radius) * 0.75);
    background: none;
    text-align: start;
  }
  .item:hover {
    background: var(--_raised);
  }
  .item:focus-visible {
    outline-offset: -2px;
  }
  .item[aria-current] {
    background: var(--_background);
    box-shadow: inset 0 0 0 1px var(--_border);
  }
  .item[aria-current] .who::before {
    display: inline-block;
    width: 3px;
    height: 0.9em;
    margin-inline-end: 0.5em;
    border-radius: 2px;
    background: var(--_accent);
    vertical-align: -0.1em;
    content: '';
  }
  .who {
    overflow: hidden;
    font-weight: 600;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .item time {
    align-self: center;
  }
  .item:not(.unread) .preview {
    grid-column: 1 / -1;
  }
  .preview {
    overflow: hidden;
    color: var(--_muted);
    font-size: 0.875em;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .unread .preview {
    color: var(--_text);
    font-weight: 600;
  }
  .dot {
    justify-self: end;
    align-self: center;
    width: 0.625em;
    height: 0.625em;
    border-radius: 50%;
    background: var(--_accent);
  }
  .work {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25em 0.75em;
    padding: 0.4em 1em;
    border-block-end: 1px solid var(--_border);
  }
  .card {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25em 1em;
    margin: 0;
    padding: 0.4em 1em;
    border-block-end: 1px solid var(--_border);
  }
  .badge.quiet {
    background: var(--_raised);
    color: var(--_muted);
  }
  .badge {
    grid-column: 1 / -1;
    justify-self: start;
    margin-block-start: 0.25em;
    padding: 0.05em 0.6em;
    border-radius: 1em;
    background: var(--_warning-surface);
    color: var(--_warning-text);
    font-size: 0.75em;
    font-weight: 600;
  }
  .thread.empty {
    place-content: center;
    text-align: center;
  }
  .scroll {
    flex: 1;
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: 0.5em 1em 1em;
  }
  .scroll:focus-visible {
    outline-offset: -2px;
  }
  .scroll > .note {
    text-align: center;
  }
  .recipient {
    display: grid;
    align-content: start;
    gap: 0.75em;
    padding-block-start: 1em;
  }
  .entries {
    display: flex;
    flex-direction: column;
    gap: 0.6em;
  }
  .day {
    align-self: center;
    margin-block: 0.75em 0.25em;
    color: var(--_muted);
  }
  .day h3 {
    font-weight: 600;
  }
  .entry {
    max-width: min(34rem, 82%);
  }
  .in {
    align-self: flex-start;
  }
  .out {
    align-self: flex-end;
  }
  .out .meta {
    text-align: end;
  }
  .event {
    align-self: center;
    width: min(26rem, 100%);
    max-width: 100%;
  }
  .bubble {
    overflow: hidden;
    padding: 0.55em 0.85em;
    border-radius: 1.1em;
    background: var(--_surface);
  }
  .in .bubble {
    border-end-start-radius: 0.3em;
  }
  .out .bubble {
    border-end-end-radius: 0.3em;
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .out .bubble a {
    color: inherit;
  }
  .text {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  .bubble img,
  .bubble video {
    display: block;
    max-width: 100%;
    max-height: 16rem;
    margin-block-end: 0.35em;
    border-radius: 0.6em;
  }
  .meta {
    margin-block-start: 0.15em;
    padding-inline: 0.35em;
    font-size: 0.75em;
  }
  .card {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 0.75em;
    padding: 0.75em 1em;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
  }
  .card.note {
    grid-template-columns: 1fr;
    border-style: dashed;
    background: var(--_surface);
  }
  .card > svg {
    margin-block-start: 0.1em;
    color: var(--_muted);
  }
  .card.missed > svg,
  .card.missed strong {
    color: var(--_danger);
  }
  .card .meta {
    padding: 0;
  }
  .card .plain {
    margin-block: 0.4em;
  }
  audio {
    display: block;
    width: 100%;
    height: 2.5em;
    margin-block: 0.4em;
  }
  .composer {
    display: grid;
    grid-template-columns: 1fr auto;
    flex: none;
    align-items: end;
    gap: 0.35em 0.6em;
    padding: 0.75em 1em 0.6em;
    border-block-start: 1px solid var(--_border);
  }
  .note-form {
    display: grid;
    flex: none;
    justify-items: start;
    gap: 0.35em;
    padding: 0.6em 1em;
    border-block-start: 1px solid var(--_border);
    background: var(--_surface);
  }
  textarea.field {
    display: block;
    field-sizing: content;
    max-height: 9em;
    padding-block: 0.5em;
    resize: none;
  }
  .verdict {
    grid-column: 1 / -1;
    min-height: 1.45em;
  }
  .optout {
    flex: none;
    padding: 0.85em 1em;
    border-block-start: 1px solid var(--_border);
    background: var(--_warning-surface);
    color: var(--_warning-text);
  }
  @container (width < 40rem) {
    .inbox {
      grid-template-columns: 1fr;
    }
    .list {
      border-inline-end: 0;
    }
    .inbox:not(.open) .thread,
    .open .list {
      display: none;
    }
    .back {
      display: inline-grid;
    }
    .composer .label {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .composer .primary {
      width: 2.75em;
      padding: 0;
    }
  }
`;
