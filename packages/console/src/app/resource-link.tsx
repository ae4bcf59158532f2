import { Link } from '@tanstack/react-router';
import { ledgerPath, useLedger } from './ledger.ts';
import { pageOfId } from './resource-pages.ts';

type ResourceLinkProps = {
  id: string;
  /** True to show the prefix of the id and its last characters. */
  isShort?: boolean;
};

/** The id of a thing, with a link if a page shows the thing. */
export function ResourceLink({ id, isShort = false }: ResourceLinkProps) {
  const ledger = useLedger();
  const page = pageOfId(id);
  const text = isShort ? `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}` : id;
  const title = isShort ? id : undefined;
  if (page === undefined) return <code title={title}>{text}</code>;
  return (
    <Link to={ledgerPath(ledger, page)} title={title}>
      <code>{text}</code>
    </Link>
  );
}
