import type { SearchResult } from '@dialplane/sdk/resources';
import { Building2, Contact, Hash, Inbox, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFilter } from 'react-aria-components/Autocomplete';
import type { Ledger } from '../api/client.ts';
import { formatNumber } from '../lib/numbers.ts';
import { previewText } from '../lib/previews.ts';
import { texts } from '../texts/parts.ts';
import { ledgerPath } from './ledger.ts';
import { existing, NAV, OPERATOR_NAV, OPERATOR_PAGES, PAGES, pageTitle } from './pages.ts';
import { actionName, actionsOf } from './palette-actions.ts';
import { pageOfId } from './resource-pages.ts';
import { useSession } from './session.ts';

const t = texts.paletteCommands;

const CONNECTION_ID = /^ccn_[0-9a-z]+$/;

/** An entry of the palette: a page, an action or a thing. */
export type Command = {
  readonly id: string;
  readonly text: string;
  /** Distinguishes the command from other commands with the same text. */
  readonly detail?: string;
  /** The tenant that has the thing. */
  readonly tenantId?: string;
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly icon?: ReactNode;
};

/** Returns the pages and actions whose names contain the typed text, and the page of a pasted id. */
export function useCommands(ledger: Ledger | null, typed: string): Command[] {
  const { contains } = useFilter({ sensitivity: 'base' });
  const { role } = useSession();
  const text = typed.trim();
  const opened = openedById(ledger, text, role === 'operator');
  const all = [...(ledger === null ? [] : ofLedger(ledger, role)), ...(role === 'operator' ? ofOperators() : [])];
  return [...opened, ...all.filter((command) => contains(command.text, text))];
}

type Role = ReturnType<typeof useSession>['role'];

function openedById(ledger: Ledger | null, text: string, isOperator: boolean): Command[] {
  const page = ledger === null ? undefined : pageOfId(text);
  if (ledger !== null && page !== undefined) return [{ id: 'id', text: t.open(text), to: ledgerPath(ledger, page) }];
  if (!isOperator || !CONNECTION_ID.test(text)) return [];
  return [{ id: 'id', text: t.open(text), to: `/operator/connections/${text}` }];
}

function ofLedger(ledger: Ledger, role: Role): Command[] {
  const { accountId, mode } = ledger;
  const shown = NAV.filter(({ only }) => only === undefined || only === mode);
  const pages = shown.flatMap(({ entries }) =>
    existing(entries, PAGES).map(({ path, key, icon: Icon }) => ({
      ...{ id: `page ${path}`, text: pageTitle(key), to: ledgerPath(ledger, path), icon: <Icon aria-hidden /> },
    })),
  );
  const actions = actionsOf(role).map((action) => ({
    ...{
      id: `action ${action.key}`,
      text: actionName(action),
      to: ledgerPath(ledger, action.path),
      icon: <Zap aria-hidden />,
    },
    ...(action.search !== undefined && { search: action.search }),
  }));
  const other = mode === 'test' ? 'live' : 'test';
  return [...pages, ...actions, { id: 'mode', text: t.goToMode(other), to: `/${other}/${accountId}` }];
}

function ofOperators(): Command[] {
  return existing(OPERATOR_NAV, OPERATOR_PAGES).map(({ path, key, icon: Icon }) => ({
    ...{ id: `operator ${path}`, text: pageTitle(key), to: `/operator/${path}`, icon: <Icon aria-hidden /> },
  }));
}

const ICONS = { tenant: Building2, contact: Contact, phone_number: Hash, conversation: Inbox } as const;

/** Returns the entry that opens a found thing. */
export function commandOf(
  ledger: Ledger,
  { object, id, title, detail, tenant_id, last_activity_kind }: SearchResult,
): Command {
  const [name, Icon] = [t.kinds[object], ICONS[object]];
  return {
    id,
    text: formatNumber(title),
    detail:
      detail === ''
        ? name
        : `${name} · ${previewText({ last_message_preview: formatNumber(detail), last_activity_kind })}`,
    ...(object !== 'tenant' && { tenantId: tenant_id }),
    to: ledgerPath(ledger, pageOfId(id) ?? ''),
    icon: <Icon aria-hidden />,
  };
}
