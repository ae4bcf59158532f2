import { useParams } from '@tanstack/react-router';
import { useLedger } from '../app/ledger.ts';
import { apiPathOfId } from '../app/resource-pages.ts';
import { texts } from '../texts/ui.ts';
import { CopyButton, curlOf } from './code.tsx';
import css from './thing-tools.module.css';

const t = texts.thingTools;

/** On the page of one thing: its id, and the request that reads it, to be copied. */
export function ThingTools() {
  const { id } = useParams({ strict: false }) as { id?: string };
  const ledger = useLedger();
  const path = id === undefined ? undefined : apiPathOfId(id);
  if (id === undefined || path === undefined) return null;
  return (
    <p className={css.tools}>
      <code>{id}</code>
      <CopyButton text={id} label={t.copyTheId} />
      <CopyButton text={curlOf(ledger, { path })} label={t.copyTheRequest} isCommand />
    </p>
  );
}
