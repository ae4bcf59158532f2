import { css } from 'lit';

export const styles = css`
  :host {
    max-width: 24rem;
  }
  .bar {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.75em;
    padding: 0.75em 1em;
    border-block-end: 1px solid var(--_border);
  }
  .body {
    display: grid;
    gap: 0.75em;
    padding: 1em;
  }
  .dial {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0.35em 0.6em;
  }
  .dial label {
    grid-column: 1 / -1;
  }
  .call {
    justify-items: center;
    gap: 0.25em;
    padding-block: 1.5em 1.25em;
    text-align: center;
  }
  .other {
    font-size: 1.5em;
    font-weight: 650;
    letter-spacing: -0.01em;
  }
  .timer {
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .ended {
    padding: 0.5em 0.75em;
    border-radius: calc(var(--_radius) * 0.75);
    background: var(--_surface);
    color: var(--_muted);
    font-size: 0.875em;
  }
  .problem {
    padding: 0 1em 1em;
  }
  .queues {
    margin: 0;
    padding: 0.75em 1em;
    border: 0;
    border-block-end: 1px solid var(--_border);
  }
  .queues ul {
    display: grid;
    gap: 0.25em;
    padding-block-start: 0.35em;
    padding-inline-start: 1.5em;
  }
  .switch {
    display: flex;
    align-items: center;
    gap: 0.5em;
    min-height: 1.75em;
  }
  .switch input {
    width: 1.15em;
    height: 1.15em;
    accent-color: var(--_accent);
  }
  .switch span {
    overflow-wrap: anywhere;
  }
  .settings {
    padding: 0.75em 1em;
    border-block-start: 1px solid var(--_border);
  }
  .settings summary {
    color: var(--_muted);
    font-size: 0.8125em;
    cursor: pointer;
  }
  .settings > label,
  .settings > button {
    display: block;
    margin-block-start: 0.6em;
    font-size: 0.875em;
  }
  :host > .problem,
  .problem.muted {
    padding-block-start: 1em;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0.75em;
    margin-block-start: 1em;
  }
  .ringing .actions {
    gap: 3em;
  }
  .round {
    display: grid;
    justify-items: center;
    gap: 0.35em;
    width: 4.25em;
    padding: 0;
    border: 0;
    background: none;
    font-size: 0.8125em;
  }
  .round svg {
    width: 4.2em;
    height: 4.2em;
    padding: 1.2em;
    border-radius: 50%;
    background: var(--_raised);
    color: var(--_text);
  }
  .round:hover:enabled svg {
    background: var(--_border);
  }
  .round:focus-visible {
    outline: none;
  }
  .round:focus-visible svg {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .round:disabled {
    color: var(--_muted);
  }
  .round:disabled svg {
    opacity: 0.55;
  }
  .round[aria-pressed='true'] svg {
    background: var(--_text);
    color: var(--_background);
  }
  .round.danger svg,
  .round.danger:hover:enabled svg {
    background: var(--_danger);
    color: var(--_on-danger);
  }
  .round.success svg,
  .round.success:hover:enabled svg {
    background: var(--_success);
    color: var(--_on-success);
  }
  .ringing .success svg {
    animation: pulse 1.5s ease-in-out infinite;
  }
  @keyframes pulse {
    50% {
      box-shadow: 0 0 0 0.6em color-mix(in srgb, var(--_success) 22%, transparent);
    }
  }
  .transfer {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 0.5em;
    width: 100%;
    margin-block-start: 0.75em;
    text-align: start;
  }
  .transfer label,
  .transfer p {
    grid-column: 1 / -1;
  }
  .keypad {
    display: grid;
    grid-template-columns: repeat(3, 3.5em);
    gap: 0.5em;
    margin-block-start: 0.75em;
  }
  .digits {
    grid-column: 1 / -1;
    overflow: hidden;
    font-size: 1.125em;
    font-variant-numeric: tabular-nums;
    letter-spacing: 0.1em;
    direction: rtl;
    unicode-bidi: plaintext;
  }
  .key {
    height: 2.75em;
    border: 1px solid var(--_border);
    border-radius: calc(var(--_radius) * 0.75);
    background: var(--_background);
    font-size: 1.125em;
  }
  .key:hover {
    background: var(--_surface);
  }
  @container (width < 18rem) {
    .actions {
      gap: 0.5em;
    }
    .ringing .actions {
      gap: 1.5em;
    }
  }
`;
