import { useParams } from '@tanstack/react-router';
import { useLedger } from '../app/ledger.ts';
import { apiPathOfId } from '../app/resource-pages.ts';
import { texts } from '../texts/ui.ts';
import { CopyButton, curlOf } from './code.tsx';
import css from './thing-tools.module.css';

const t = texts.thingTools;

/** The tools on the page of one thing: its id to copy, and the request that reads it. */
export function ThingTools() {
  const params = useParams({ strict: false }) as { id?: string; deliveryId?: string };
  const ledger = useLedger();
  const id = params.deliveryId ?? params.id;
  const path = apiPathOf(params);
  if (id === undefined || path === undefined) return null;
  return (
    <p className={css.tools}>
      <code>{id}</code>
      <CopyButton text={id} label={t.copyTheId} />
      <CopyButton text={curlOf(ledger, { path })} label={t.copyTheRequest} isCommand />
    </p>
  );
}

/** Returns the API path of the thing that the page shows; undefined if the API does not have it. */
function apiPathOf({ id, deliveryId }: { id?: string; deliveryId?: string }): string | undefined {
  const path = id === undefined ? undefined : apiPathOfId(id);
  return path === undefined || deliveryId === undefined ? path : `${path}/deliveries/${deliveryId}`;
}
