import type { ApiKey } from '@dialplane/sdk/resources';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/keys.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code, Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page, Row } from '../../ui/page.tsx';
import { CreateKey } from './create-key.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

const t = texts.keys;

/** The present action on keys. The text of a new key is in memory only while its dialog is open. */
type Doing =
  | { readonly what: 'create' }
  | { readonly what: 'show'; readonly secret: string }
  | { readonly what: 'rotate' | 'revoke'; readonly key: ApiKey };

/** The API keys of the ledger. */
export function KeysPage() {
  const { mode } = useLedger();
  const [doing, setDoing] = useState<Doing>();
  const [{ tenant_id }] = useFilters();
  const filter = tenant_id === undefined ? {} : { tenant_id };
  const keys = useList(['api_keys', filter], (api, page) => api.apiKeys.list({ ...filter, ...page }));
  const create = (
    <Button kind="primary" onPress={() => setDoing({ what: 'create' })}>
      <Plus aria-hidden /> {t.newKey}
    </Button>
  );
  const close = () => setDoing(undefined);
  const show = (secret: string) => setDoing({ what: 'show', secret });
  return (
    <Page title={t.apiKeys} about={t.keysModeYour(mode)} actions={create}>
      <TenantFilterBar placeholder={t.allKeys} />
      <DataList
        label={t.apiKeys}
        list={keys}
        rowId={({ id }) => id}
        columns={[
          { title: t.name, cell: ({ name }) => name, width: '1.5fr' },
          { title: t.key, cell: ({ last4 }) => <code>…{last4}</code> },
          {
            title: t.opens,
            cell: (key) => (key.tenant_id === null ? t.theAccount : <TenantName id={key.tenant_id} />),
          },
          { title: t.may, cell: ({ permissions }) => (permissions === 'read' ? t.onlyRead : t.readWrite) },
          {
            title: t.lastUsed,
            cell: (key) => (key.last_used_at === null ? t.never : <Moment at={key.last_used_at} />),
          },
          { title: t.ends, cell: ({ expires_at }) => <Ending at={expires_at} /> },
          {
            title: t.actions,
            width: '13rem',
            align: 'end',
            cell: (key) => (
              <Row>
                <Button small isDisabled={key.expires_at !== null} onPress={() => setDoing({ what: 'rotate', key })}>
                  {t.rotate}
                </Button>
                <Button small kind="danger" onPress={() => setDoing({ what: 'revoke', key })}>
                  {t.revoke}
                </Button>
              </Row>
            ),
          },
        ]}
        empty={
          <EmptyState
            title={t.noKeys}
            curl={<Curl method="POST" path="/v1/api_keys" body={{ name: t.bookingServer }} />}
          >
            {t.keyOpensAccount}
          </EmptyState>
        }
      />
      {doing?.what === 'create' && <CreateKey onClose={close} onMade={show} />}
      {doing?.what === 'show' && <NewKey secret={doing.secret} onClose={close} />}
      {doing?.what === 'rotate' && <RotateKey apiKey={doing.key} onClose={close} onMade={show} />}
      {doing?.what === 'revoke' && <RevokeKey apiKey={doing.key} onClose={close} />}
    </Page>
  );
}

function Ending({ at }: { at: string | null }) {
  if (at === null) return <span>–</span>;
  return (
    <Badge tone="warn">
      <Moment at={at} />
    </Badge>
  );
}

/** Shows a new key, once. */
function NewKey({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title={texts.newKey.yourNewKey} isOpen onClose={onClose} isShownOnce>
      <Notice tone="warn" title={texts.newKey.copyNowNot}>
        <p>{texts.newKey.serverKeepsOnly}</p>
      </Notice>
      <Code label={texts.newKey.theNewKey} text={secret} />
      <Row>
        <Button kind="primary" onPress={onClose}>
          {texts.newKey.iHaveStored}
        </Button>
      </Row>
    </Dialog>
  );
}
