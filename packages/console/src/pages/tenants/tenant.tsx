import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { useFilters } from '../../app/filters.ts';
import { usePageId } from '../../app/ledger.ts';
import { texts } from '../../texts/tenants.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DeleteTenant } from './delete-tenant.tsx';
import { TenantLists } from './tenant-lists.tsx';
import { TenantSettings } from './tenant-settings.tsx';
import { TenantConversations, TenantKeys, TenantNumbers } from './tenant-things.tsx';

const t = texts.tenant;

/** One tenant: its settings, and links to its resources. */
export function TenantPage() {
  const id = usePageId();
  const [{ tab }, setFilters] = useFilters();
  const [isDeleting, setDeleting] = useState(false);
  const { data: tenant, error } = useRead(['tenants', id], (api) => api.tenants.get(id));
  if (error !== null) {
    return (
      <Page title={t.tenant}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (tenant === undefined) return <Loading />;
  return (
    <Page
      title={tenant.name}
      actions={
        <Button kind="danger" onPress={() => setDeleting(true)}>
          {t.delete}
        </Button>
      }
    >
      <TenantLists tenantId={id} />
      <Tabs
        label={t.tenant}
        selected={tab ?? 'settings'}
        onSelect={(chosen) => setFilters({ tab: chosen === 'settings' ? undefined : chosen })}
        tabs={[
          { id: 'settings', title: t.settings, content: <TenantSettings key={id} tenant={tenant} /> },
          { id: 'numbers', title: t.numbers, content: <TenantNumbers tenantId={id} /> },
          { id: 'conversations', title: t.conversations, content: <TenantConversations tenantId={id} /> },
          { id: 'keys', title: t.apiKeys, content: <TenantKeys tenantId={id} /> },
        ]}
      />
      <DeleteTenant tenant={tenant} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </Page>
  );
}
