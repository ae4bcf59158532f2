import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { texts as appTexts } from '../../texts/app.ts';
import { texts } from '../../texts/tenants.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Row } from '../../ui/page.tsx';

const t = texts.tenantLists;

const { pages } = appTexts;

/** The pages that `tenant_id` in their address narrows to a tenant. */
const LISTS: readonly (readonly [path: string, key: keyof typeof pages])[] = [
  ['inbox', 'inbox'],
  ['contacts', 'contacts'],
  ['messages', 'texts'],
  ['calls', 'calls'],
  ['voicemails', 'voicemails'],
  ['recordings', 'recordings'],
  ['routing', 'routing'],
  ['queues', 'queues'],
  ['web-clients', 'webClients'],
  ['templates', 'templates'],
  ['opt-outs', 'optOuts'],
  ['port-ins', 'portIns'],
  ['e911', 'e911Addresses'],
  ['brands', 'brands'],
  ['campaigns', 'campaigns'],
  ['forms', 'optInForms'],
  ['usage', 'usageAndCost'],
  ['events', 'events'],
  ['requests', 'requests'],
  ['audit', 'auditLog'],
];

/** Links to all resources of a tenant, each list narrowed to the tenant, and to its failures. */
export function TenantLists({ tenantId }: { tenantId: string }) {
  const ledger = useLedger();
  const link = (path: string, text: string, search: Readonly<Record<string, string>> = {}) => (
    <ButtonLink key={text} small to={ledgerPath(ledger, path)} search={{ tenant_id: tenantId, ...search }}>
      {text}
    </ButtonLink>
  );
  return (
    <Card label={t.belongsToTenant}>
      <Row>
        {link('messages', t.failedTexts, { status: 'failed' })}
        {link('calls', t.missedCalls, { outcome: 'missed' })}
        {link('requests', t.refusedRequests, { status: '4xx' })}
      </Row>
      <Row>{LISTS.map(([path, key]) => link(path, pages[key]))}</Row>
    </Card>
  );
}
