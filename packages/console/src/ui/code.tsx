import { Check, Copy, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import type { Ledger } from '../api/client.ts';
import { useLedger } from '../app/ledger.ts';
import { CONSOLE_URL, PREFIX } from '../lib/location.ts';
import { texts } from '../texts/ui.ts';
import { IconButton } from './button.tsx';
import css from './note.module.css';

const t = texts.code;

type CopyButtonProps = {
  text: string;
  label?: string;
  /** True for a command of a shell. */
  isCommand?: boolean;
};

/** Copies a text to the clipboard. */
export function CopyButton({ text, label = t.copy, isCommand = false }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <IconButton label={isCopied ? t.copied : label} small onPress={() => void copy()}>
      {isCopied ? <Check /> : isCommand ? <SquareTerminal /> : <Copy />}
    </IconButton>
  );
}

/** A text for a terminal or a program, with a button that copies it. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className={css.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what is wider than the page */}
      <pre role="region" tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <div className={css.copy}>
        <CopyButton text={text} />
      </div>
    </div>
  );
}

type CurlProps = { method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'; path: string; body?: unknown };

/** The request with the same effect as the page, for a terminal. The key stays in a variable of the shell. */
export function Curl(props: CurlProps) {
  return <Code label={t.sameCurl} text={curlOf(useLedger(), props)} />;
}

/** Returns a request as a command of a shell. */
export function curlOf({ mode }: Ledger, { method = 'GET', path, body }: CurlProps): string {
  const key = mode === 'test' ? '$DIALPLANE_TEST_KEY' : '$DIALPLANE_LIVE_KEY';
  const address = `${CONSOLE_URL.origin}${PREFIX}${path}`;
  // In a shell, & and ? have a special meaning.
  const quoted = /[?&]/.test(address) ? `'${address}'` : address;
  const lines = [`curl ${quoted}`, `  -H "Authorization: Bearer ${key}"`];
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) lines.push(`  -X ${method}`);
  if (body !== undefined) {
    lines.push('  -H "Content-Type: application/json"', `  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n');
}
