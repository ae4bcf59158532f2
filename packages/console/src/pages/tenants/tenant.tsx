import { useRead } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { usePageId } from '../../app/ledger.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';

/** One tenant. */
export function TenantPage() {
  const id = usePageId();
  const { data: tenant, error } = useRead(['tenants', id], (api) => api.tenants.get(id));
  if (error !== null) {
    return (
      <Page title="Tenant">
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (tenant === undefined) return <Loading />;
  return (
    <Page title={tenant.name}>
      <Card label="Tenant">
        <Facts
          facts={[
            ['Id', <code key="id">{tenant.id}</code>],
            ['Your reference', tenant.external_ref],
            ['Time zone', tenant.timezone],
            ['Sender name', tenant.sender_name],
            ['Support contact', tenant.support_contact],
            ['Made', <Moment key="made" at={tenant.created_at} tenantId={tenant.id} format="long" />],
          ]}
        />
      </Card>
    </Page>
  );
}
