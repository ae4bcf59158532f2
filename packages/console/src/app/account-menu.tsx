import { useMatches, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import type { Account } from '../api/generated/operator-types.ts';
import { listAccounts } from '../api/operator.ts';
import { useOperatorRead } from '../api/operator-queries.ts';
import { texts } from '../texts/parts.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { ledgerPath, useLedger } from './ledger.ts';
import css from './palette.module.css';

const t = texts.accountMenu;

/** The menu offers this many accounts. The page of all accounts lists all of them. */
const ACCOUNTS_MAX = 1_000;
const ALL = 'all';

/** Opens the page of this tab in another account, in the same mode. */
export function AccountMenu({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const { contains } = useFilter({ sensitivity: 'base' });
  const { data = [], error, isPending } = useOperatorRead(['accounts', 'menu'], readAccounts);
  const navigate = useNavigate();
  const { mode } = useLedger();
  const page = usePlainPage();
  const search = useKeptFilters();
  const go = (id: string) => {
    onClose();
    if (id === ALL) void navigate({ to: '/operator/accounts' });
    else if (id !== accountId) {
      void navigate({ to: ledgerPath({ accountId: id, mode }, page), search } as never);
    }
  };
  const found = data.filter(({ id, name }) => contains(name, typed.trim()) || id === typed.trim());
  const items = [...found.map(({ id, name }) => ({ id, name })), { id: ALL, name: t.allAccounts }];
  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && onClose()} isDismissable className={css.overlay ?? ''}>
      <Modal className={css.modal ?? ''}>
        <Dialog aria-label={t.otherAccount} className={css.dialog ?? ''}>
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField aria-label={t.otherAccount} autoFocus className={css.field ?? ''}>
              <Input placeholder={t.nameOrId} className={css.input ?? ''} />
            </SearchField>
            <Menu
              items={items}
              aria-label={t.accounts}
              className={css.list ?? ''}
              onAction={(id) => go(String(id))}
              dependencies={[accountId]}
            >
              {({ id, name }) => (
                <MenuItem id={id} textValue={name} className={css.item ?? ''}>
                  <bdi>{name}</bdi>
                  {id === accountId && <span className={css.detail}>{t.thisOne}</span>}
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
          <p role="status" className="visually-hidden">
            {isPending || typed.trim() === '' ? '' : texts.palette.foundOf(found.length)}
          </p>
          <ErrorNote error={error} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

async function readAccounts(): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  for await (const account of listAccounts({ limit: 100 })) {
    accounts.push(account);
    if (accounts.length === ACCOUNTS_MAX) break;
  }
  return accounts;
}

/** Returns the path of the page up to its first id: another account has the list, but not the thing. */
function usePlainPage(): string {
  const pattern: string = useMatches().at(-1)?.fullPath ?? '';
  const [, , , ...names] = pattern.split('/');
  const firstId = names.findIndex((name) => name.includes('$'));
  const plain = firstId === -1 ? names : names.slice(0, firstId);
  return plain.filter((name) => name !== '').join('/');
}

const ID = /^[a-z]+_[0-9a-z]{26}$/;

/** Returns the filters of the page, except filters by an id. */
function useKeptFilters(): Readonly<Record<string, string>> {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>;
  return Object.fromEntries(Object.entries(search).filter(([, value]) => !ID.test(value)));
}
