import { html, svg, type TemplateResult } from 'lit';

const icon = (shape: TemplateResult) => html`<svg viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`;
const HANDSET =
  'M5 4h3.5l1.8 4.4-2.2 1.6a12 12 0 0 0 5.9 5.9l1.6-2.2L20 15.5V19a2 2 0 0 1-2.2 2A16 16 0 0 1 3 6.2 2 2 0 0 1 5 4Z';

export const ICONS = {
  back: icon(svg`<path d="m15 5-7 7 7 7" />`),
  phone: icon(svg`<path d=${HANDSET} />`),
  hangUp: icon(
    svg`<path d="M3 15.5c0-5.3 18-5.3 18 0v1.2a1.3 1.3 0 0 1-1.6 1.3l-3-.8a1.3 1.3 0 0 1-1-1.2l-.1-1.7a10 10 0 0 0-6.6 0L8.6 16a1.3 1.3 0 0 1-1 1.2l-3 .8A1.3 1.3 0 0 1 3 16.7Z" />`,
  ),
  send: icon(svg`<path d="M5 12 4 4.5 20.5 12 4 19.5 5 12Zm0 0h7" />`),
  write: icon(svg`<path d="M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4" />`),
  voicemail: icon(
    svg`<circle cx="6.5" cy="12" r="3.5" /><circle cx="17.5" cy="12" r="3.5" /><path d="M6.5 15.5h11" />`,
  ),
  mic: icon(svg`<rect x="9" y="3" width="6" height="11" rx="3" /><path d="M5 11a7 7 0 0 0 14 0M12 18v3" />`),
  micOff: icon(
    svg`<path d="M9 9V6a3 3 0 0 1 6 0v5a3 3 0 0 1-.3 1.3M9 9v2a3 3 0 0 0 4.5 2.6M5 11a7 7 0 0 0 11.5 5.4M19 11a7 7 0 0 1-.6 2.8M12 18v3M4 4l16 16" />`,
  ),
  hold: icon(svg`<path d="M9 5v14M15 5v14" />`),
  transfer: icon(svg`<path d="M4 12h15m-5-5 5 5-5 5" />`),
  keypad: icon(
    svg`<path d="M6 5h.01M12 5h.01M18 5h.01M6 12h.01M12 12h.01M18 12h.01M6 19h.01M12 19h.01M18 19h.01" stroke-width="3" />`,
  ),
} as const;
