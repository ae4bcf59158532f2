/** The style of a form's public page, light or dark as the visitor's device prefers. */
import { textColorOn } from './rules.ts';

/** On `ground` text needs 4.5:1 and the edge of a control 3:1 (WCAG 2.2, 1.4.3 and 1.4.11). */
export const LIGHT = {
  ground: '#ffffff',
  text: '#1b1f24',
  dim: '#555d66',
  edge: '#6b737c',
  error: '#b3261e',
  link: '#0b57a4',
} as const;
export type Palette = Readonly<Record<keyof typeof LIGHT, string>>;

export const DARK: Palette = {
  ground: '#16191d',
  text: '#eceff2',
  dim: '#a9b2bb',
  edge: '#8a939c',
  error: '#ffa49c',
  link: '#8ec5ff',
};

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ');
}

/** The whole style sheet for a brand of this color (`#rrggbb`). */
export function styleFor(color: string): string {
  return `
:root { color-scheme: light dark; --brand: ${color}; --on-brand: ${textColorOn(color)}; ${variables(LIGHT)} }
@media (prefers-color-scheme: dark) {
  :root { ${variables(DARK)} }
  /* Logos are made for a white background. */
  header img { padding: .75rem; border-radius: 4px; background: #ffffff; }
}
* { box-sizing: border-box; }
body { margin: 0; border-top: .5rem solid var(--brand); background: var(--ground); color: var(--text);
  font: 1.0625rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
header, main { max-width: 34rem; margin: 0 auto; padding: 1rem 1.25rem; }
header { padding-bottom: 0; }
header p { margin: 0; font-weight: 600; }
header img { display: block; max-width: 100%; max-height: 6rem; color: #1b1f24; }
h1 { margin: .5rem 0 1rem; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 0; font-size: 1.125rem; }
label { font-weight: 600; }
.consent { display: grid; grid-template-columns: auto 1fr; gap: .75rem; align-items: start; }
.consent label { font-weight: 400; white-space: pre-line; }
.field { margin: 1.25rem 0; }
.hint, .error { margin: .125rem 0 .375rem; }
.hint { color: var(--dim); }
.hint span { white-space: nowrap; }
.error { color: var(--error); font-weight: 600; }
.note { padding: .5rem .75rem; border: 1px solid var(--dim); }
.summary { padding: .75rem 1rem; border: 2px solid var(--error); }
.summary ul { margin: .5rem 0 0; padding-left: 1.25rem; }
.summary a { color: var(--error); }
input[type=tel] { width: 100%; max-width: 20rem; padding: .625rem; border: 1px solid var(--edge); border-radius: 4px;
  background: var(--ground); color: inherit; font: inherit; }
input[type=checkbox] { width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--link); }
[aria-invalid] { outline: 2px solid var(--error); }
button { padding: .75rem 1.5rem; border: 2px solid var(--text); border-radius: 4px; background: var(--brand);
  color: var(--on-brand); font: inherit; font-weight: 600; cursor: pointer; }
button:hover { text-decoration: underline; }
a { color: var(--link); }
a:focus-visible, input:focus-visible, button:focus-visible, .summary:focus-visible { outline: 3px solid var(--text);
  outline-offset: 2px; }
nav ul { display: flex; flex-wrap: wrap; gap: 1.5rem; margin: 2rem 0 0; padding: 0; list-style: none; }
`;
}
