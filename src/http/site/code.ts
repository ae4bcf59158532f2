/** Code in pages: its colours, and tabs for the same example in several languages. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { html } from '../../lib/http/html.ts';

const LANGUAGES = { bash, diff, go, http, ini, json, php, python, ruby, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases(['js', 'mjs', 'javascript', 'tsx'], { languageName: 'typescript' });

/** The names of the tabs. */
const TABS: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  ruby: 'Ruby',
};

export type CodeBlock = { readonly language: string; readonly code: string };

/** True for a language that can be a tab next to another. */
export function canBeTab(language: string): boolean {
  return Object.hasOwn(TABS, language);
}

/** Writes a block of code as markup. */
export function writeCode({ language, code }: CodeBlock): string {
  const coloured =
    hljs.getLanguage(language) === undefined
      ? html`${code}`.markup
      : hljs.highlight(code, { language, ignoreIllegals: true }).value;
  const attribute = html`${language}`.markup;
  return `<div class="code" data-language="${attribute}"><pre tabindex="0"><code>${coloured}</code></pre></div>\n`;
}

/**
 * Writes the same example in several languages, as tabs. Without the site's script, the languages are below each other.
 */
export function writeTabs(blocks: readonly CodeBlock[]): string {
  const panels = blocks.map((block) => {
    const label = TABS[block.language] ?? block.language;
    return `<section class="tab" data-tab="${label}"><h6>${label}</h6>\n${writeCode(block)}</section>\n`;
  });
  return `<div class="tabs">\n${panels.join('')}</div>\n`;
}
