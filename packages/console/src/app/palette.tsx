import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import type { Ledger } from '../api/client.ts';
import { texts } from '../texts/parts.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { useChosenLedger } from './last-page.ts';
import css from './palette.module.css';
import { commandOf, useCommands } from './palette-commands.tsx';
import { useFound, useTenantName } from './palette-found.ts';

const t = texts.palette;

/** Finds pages and actions by name. Finds tenants, contacts, numbers and conversations with the server. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const ledger = useChosenLedger();
  const pages = useCommands(ledger, typed);
  const { results, isSearching, error } = useFound(ledger, typed);
  const found = ledger === null ? [] : results.map((result) => commandOf(ledger, result));
  const commands = [...pages, ...found];
  const go = (id: string) => {
    const command = commands.find((each) => each.id === id);
    if (command === undefined) return;
    onClose();
    void navigate({ to: command.to, search: command.search ?? {} } as never);
  };
  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && onClose()} isDismissable className={css.overlay ?? ''}>
      <Modal className={css.modal ?? ''}>
        <Dialog aria-label={t.find} className={css.dialog ?? ''}>
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField aria-label={t.find} autoFocus className={css.field ?? ''}>
              <Input placeholder={t.pageNameNumber} className={css.input ?? ''} />
            </SearchField>
            <Menu
              items={commands}
              aria-label={t.found}
              className={css.list ?? ''}
              onAction={(id) => go(String(id))}
              renderEmptyState={() => <Nothing typed={typed.trim()} isSearching={isSearching} />}
            >
              {({ id, text, detail, tenantId, icon }) => (
                <MenuItem id={id} textValue={text} className={css.item ?? ''}>
                  {icon}
                  <bdi>{text}</bdi>
                  {detail !== undefined && <span className={css.detail}>{detail}</span>}
                  {ledger !== null && tenantId !== undefined && <OfTenant ledger={ledger} id={tenantId} />}
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
          <p role="status" className="visually-hidden">
            {statusOf(typed.trim(), { count: commands.length, isSearching })}
          </p>
          <ErrorNote error={error} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The tenant of a found thing. Things of several tenants may have the same number. */
function OfTenant({ ledger, id }: { ledger: Ledger; id: string }) {
  const name = useTenantName(ledger, id);
  return name === undefined ? null : (
    <bdi className={css.tenant} title={name}>
      {name}
    </bdi>
  );
}

/** The text of the list for a screen reader, once its results match the typed text. */
function statusOf(typed: string, { count, isSearching }: { count: number; isSearching: boolean }): string {
  if (typed === '' || isSearching) return '';
  return count === 0 ? t.nothingFound(typed) : t.foundOf(count);
}

function Nothing({ typed, isSearching }: { typed: string; isSearching: boolean }) {
  if (isSearching) return <p className={css.none}>{t.searching}</p>;
  return (
    <div className={css.none}>
      <p>{t.nothingFoundOf(typed)}</p>
      <p>{t.searchedWerePages}</p>
    </div>
  );
}
