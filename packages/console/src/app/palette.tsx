import type { Tenant } from '@dialplane/sdk/resources';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import type { Ledger, Mode } from '../api/client.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { ledgerPath } from './ledger.ts';
import { existing, NAV, OPERATOR_NAV, OPERATOR_PAGES, PAGES } from './pages.ts';
import css from './palette.module.css';
import { useTenantsNamed } from './palette-tenants.ts';
import { pageOfId } from './resource-pages.ts';
import { useSession } from './session.ts';

const CONNECTION_ID = /^ccn_[0-9a-z]+$/;

type Command = { readonly id: string; readonly text: string; readonly to: string; readonly icon?: ReactNode };

/** Finds pages and tenants by name, and things by id: a pasted `msg_…` opens the message. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const { contains } = useFilter({ sensitivity: 'base' });
  const navigate = useNavigate();
  const ledger = useChosenLedger();
  const pages = useCommands(ledger, typed);
  const { tenants, isReading, error } = useTenantsNamed(ledger, typed);
  const commands = [...pages, ...tenants.map((tenant) => tenantCommand(ledger as Ledger, tenant))];
  const go = (to: string) => {
    onClose();
    void navigate({ to });
  };
  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && onClose()} isDismissable className={css.overlay ?? ''}>
      <Modal className={css.modal ?? ''}>
        <Dialog aria-label="Search pages, tenants and ids" className={css.dialog ?? ''}>
          <Autocomplete inputValue={typed} onInputChange={setTyped} filter={contains}>
            <SearchField aria-label="Page, tenant or id" autoFocus className={css.field ?? ''}>
              <Input placeholder="A page, a tenant, or an id such as msg_…" className={css.input ?? ''} />
            </SearchField>
            <Menu
              items={commands}
              aria-label="Found"
              className={css.list ?? ''}
              onAction={(id) => go(String(id))}
              renderEmptyState={() => (
                <p className={css.none}>{isReading ? 'Reading the tenants…' : 'Nothing has this name.'}</p>
              )}
            >
              {({ to, text, icon }) => (
                <MenuItem id={to} textValue={text} className={css.item ?? ''}>
                  {icon}
                  {text}
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
          <ErrorNote error={error} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The ledger of the page; on a page of operators the test ledger of the account that the console shows first. */
function useChosenLedger(): Ledger | null {
  const { mode = 'test', ...params } = useParams({ strict: false }) as { mode?: Mode; accountId?: string };
  const { default_account_id } = useSession();
  const accountId = params.accountId ?? default_account_id;
  return accountId === null ? null : { accountId, mode };
}

const tenantCommand = (ledger: Ledger, { id, name }: Tenant): Command => ({
  id,
  text: name,
  to: ledgerPath(ledger, `tenants/${id}`),
  icon: <Building2 aria-hidden />,
});

function useCommands(ledger: Ledger | null, typed: string): Command[] {
  const { role } = useSession();
  const commands: Command[] = [];
  if (ledger !== null) {
    const { accountId, mode } = ledger;
    const byId = pageOfId(typed.trim());
    if (byId !== undefined) commands.push({ id: 'id', text: `Open ${typed.trim()}`, to: ledgerPath(ledger, byId) });
    for (const { entries, only } of NAV) {
      if (only !== undefined && only !== mode) continue;
      for (const { path, title, icon: Icon } of existing(entries, PAGES)) {
        commands.push({ id: path, text: title, to: ledgerPath(ledger, path), icon: <Icon aria-hidden /> });
      }
    }
    const other = mode === 'test' ? 'live' : 'test';
    commands.push({ id: 'mode', text: `Go to ${other} mode`, to: `/${other}/${accountId}` });
  }
  if (role === 'operator') {
    if (CONNECTION_ID.test(typed.trim())) {
      const to = `/operator/connections/${typed.trim()}`;
      commands.push({ id: 'connection', text: `Open ${typed.trim()}`, to });
    }
    for (const { path, title, icon: Icon } of existing(OPERATOR_NAV, OPERATOR_PAGES)) {
      commands.push({ id: `operator ${path}`, text: title, to: `/operator/${path}`, icon: <Icon aria-hidden /> });
    }
  }
  return commands;
}
