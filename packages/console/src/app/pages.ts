import {
  Activity,
  AudioLines,
  BellOff,
  BookOpenCheck,
  Building2,
  CalendarClock,
  ChartNoAxesColumn,
  Contact,
  Download,
  FileSignature,
  FileText,
  Hash,
  Headset,
  House,
  Inbox,
  KeyRound,
  LifeBuoy,
  ListOrdered,
  ListTree,
  type LucideIcon,
  MessageSquareText,
  MessagesSquare,
  MonitorSmartphone,
  Network,
  Phone,
  PhoneCall,
  PhoneForwarded,
  Replace,
  Rows3,
  ScrollText,
  Smartphone,
  UserRoundCog,
  Users,
  UserX,
  Voicemail,
  Webhook,
} from 'lucide-react';
import { texts } from '../texts/app.ts';

/**
 * A page: its path below `/{mode}/{account}/` (or `/operator/`), and the module and export that draw it. If a path ends
 * with `/{-$id}`, it is one page with and without an id. So a list in it does not change when an entry is opened.
 */
export type PageEntry = {
  readonly path: string;
  readonly load: () => Promise<Record<string, unknown>>;
  readonly component: string;
};

/** The name of a page or of a group of pages in the tables of texts. */
export type PageKey = keyof typeof texts.pages;

/** Returns the title of a page in the navigation. */
export const pageTitle = (key: PageKey): string => texts.pages[key];

/** An entry of the navigation, with the path of its page. With `needs`, only users with that role see it. */
export type NavEntry = {
  readonly path: string;
  readonly key: PageKey;
  readonly icon: LucideIcon;
  readonly needs?: 'admin';
};

export type NavGroup = { readonly key: PageKey | null; readonly only?: 'test'; readonly entries: readonly NavEntry[] };

/** The pages of a ledger. A page that is opened by id has `$id` in its path. */
export const PAGES: readonly PageEntry[] = [
  { path: '', load: () => import('../pages/overview/overview.tsx'), component: 'OverviewPage' },
  { path: 'tenants', load: () => import('../pages/tenants/list.tsx'), component: 'TenantsPage' },
  { path: 'inbox/{-$id}', load: () => import('../pages/inbox/inbox.tsx'), component: 'InboxPage' },
  { path: 'tenants/$id', load: () => import('../pages/tenants/tenant.tsx'), component: 'TenantPage' },
  { path: 'phones', load: () => import('../pages/phones/phones.tsx'), component: 'PhonesPage' },
  { path: 'clock', load: () => import('../pages/clock/clock.tsx'), component: 'ClockPage' },
  { path: 'calls', load: () => import('../pages/calls/list.tsx'), component: 'CallsPage' },
  { path: 'calls/$id', load: () => import('../pages/calls/call.tsx'), component: 'CallPage' },
  { path: 'recordings', load: () => import('../pages/recordings/list.tsx'), component: 'RecordingsPage' },
  { path: 'recordings/$id', load: () => import('../pages/recordings/recording.tsx'), component: 'RecordingPage' },
  { path: 'web-clients', load: () => import('../pages/web-clients/list.tsx'), component: 'WebClientsPage' },
  { path: 'web-clients/$id', load: () => import('../pages/web-clients/web-client.tsx'), component: 'WebClientPage' },
  { path: 'sip-phones', load: () => import('../pages/sip-phones/list.tsx'), component: 'SipPhonesPage' },
  { path: 'queues', load: () => import('../pages/call-queues/list.tsx'), component: 'QueuesPage' },
  { path: 'queues/$id', load: () => import('../pages/call-queues/queue.tsx'), component: 'QueuePage' },
  { path: 'voicemails', load: () => import('../pages/voicemails/voicemails.tsx'), component: 'VoicemailsPage' },
  { path: 'messages', load: () => import('../pages/messages/list.tsx'), component: 'MessagesPage' },
  { path: 'messages/$id', load: () => import('../pages/messages/message.tsx'), component: 'MessagePage' },
  { path: 'templates', load: () => import('../pages/templates/list.tsx'), component: 'TemplatesPage' },
  { path: 'opt-outs', load: () => import('../pages/opt-outs/list.tsx'), component: 'OptOutsPage' },
  { path: 'contacts', load: () => import('../pages/contacts/list.tsx'), component: 'ContactsPage' },
  { path: 'contacts/$id', load: () => import('../pages/contacts/contact.tsx'), component: 'ContactPage' },
  { path: 'exports', load: () => import('../pages/exports/list.tsx'), component: 'ExportsPage' },
  { path: 'erasures', load: () => import('../pages/erasures/list.tsx'), component: 'ErasuresPage' },
  { path: 'numbers', load: () => import('../pages/numbers/list.tsx'), component: 'NumbersPage' },
  { path: 'numbers/buy', load: () => import('../pages/numbers/buy.tsx'), component: 'BuyNumberPage' },
  { path: 'numbers/$id', load: () => import('../pages/numbers/number.tsx'), component: 'NumberPage' },
  { path: 'brands', load: () => import('../pages/compliance/brands.tsx'), component: 'BrandsPage' },
  { path: 'brands/new', load: () => import('../pages/compliance/new-brand.tsx'), component: 'NewBrandPage' },
  { path: 'brands/$id', load: () => import('../pages/compliance/brand.tsx'), component: 'BrandPage' },
  { path: 'campaigns', load: () => import('../pages/compliance/campaigns.tsx'), component: 'CampaignsPage' },
  { path: 'campaigns/new', load: () => import('../pages/compliance/new-campaign.tsx'), component: 'NewCampaignPage' },
  { path: 'campaigns/$id', load: () => import('../pages/compliance/campaign.tsx'), component: 'CampaignPage' },
  { path: 'port-ins', load: () => import('../pages/port-ins/list.tsx'), component: 'PortInsPage' },
  { path: 'port-ins/new', load: () => import('../pages/port-ins/new-port-in.tsx'), component: 'NewPortInPage' },
  { path: 'port-ins/$id', load: () => import('../pages/port-ins/port-in.tsx'), component: 'PortInPage' },
  { path: 'e911', load: () => import('../pages/e911/list.tsx'), component: 'E911Page' },
  { path: 'forms', load: () => import('../pages/forms/list.tsx'), component: 'FormsPage' },
  { path: 'forms/new', load: () => import('../pages/forms/new-form.tsx'), component: 'NewFormPage' },
  { path: 'forms/$id', load: () => import('../pages/forms/form.tsx'), component: 'FormPage' },
  { path: 'users', load: () => import('../pages/users/users.tsx'), component: 'UsersPage' },
  { path: 'keys', load: () => import('../pages/keys/keys.tsx'), component: 'KeysPage' },
  { path: 'usage', load: () => import('../pages/usage/usage.tsx'), component: 'UsagePage' },
  { path: 'webhooks', load: () => import('../pages/webhooks/list.tsx'), component: 'WebhooksPage' },
  { path: 'webhooks/$id', load: () => import('../pages/webhooks/endpoint.tsx'), component: 'WebhookPage' },
  {
    path: 'webhooks/$id/deliveries/$deliveryId',
    load: () => import('../pages/webhooks/delivery.tsx'),
    component: 'DeliveryPage',
  },
  { path: 'events', load: () => import('../pages/events/list.tsx'), component: 'EventsPage' },
  { path: 'events/$id', load: () => import('../pages/events/event.tsx'), component: 'EventPage' },
  { path: 'requests', load: () => import('../pages/requests/list.tsx'), component: 'RequestsPage' },
  { path: 'requests/$id', load: () => import('../pages/requests/request.tsx'), component: 'RequestPage' },
  { path: 'audit', load: () => import('../pages/requests/audit.tsx'), component: 'AuditPage' },
  { path: 'routing', load: () => import('../pages/routing/list.tsx'), component: 'RoutingPage' },
  { path: 'routing/$id', load: () => import('../pages/routing/routing.tsx'), component: 'RoutingConfigPage' },
];

/** The pages of operators. */
export const OPERATOR_PAGES: readonly PageEntry[] = [
  { path: 'connections', load: () => import('../pages/connections/list.tsx'), component: 'ConnectionsPage' },
  { path: 'connections/$id', load: () => import('../pages/connections/connection.tsx'), component: 'ConnectionPage' },
  { path: 'queues', load: () => import('../pages/queues/queues.tsx'), component: 'QueuesPage' },
  { path: 'accounts', load: () => import('../pages/accounts/accounts.tsx'), component: 'AccountsPage' },
  { path: 'users', load: () => import('../pages/users/users.tsx'), component: 'AllUsersPage' },
  { path: 'sessions', load: () => import('../pages/sessions/sessions.tsx'), component: 'SessionsPage' },
];

/** The navigation of a ledger. Entries without an existing page are left out. */
export const NAV: readonly NavGroup[] = [
  {
    key: null,
    entries: [
      { path: '', key: 'overview', icon: House },
      { path: 'tenants', key: 'tenants', icon: Building2 },
    ],
  },
  {
    key: 'conversations',
    entries: [
      { path: 'inbox', key: 'inbox', icon: Inbox },
      { path: 'contacts', key: 'contacts', icon: Contact },
      { path: 'messages', key: 'texts', icon: MessageSquareText },
      { path: 'calls', key: 'calls', icon: PhoneCall },
      { path: 'voicemails', key: 'voicemails', icon: Voicemail },
      { path: 'recordings', key: 'recordings', icon: AudioLines },
      { path: 'routing', key: 'routing', icon: PhoneForwarded },
      { path: 'queues', key: 'queues', icon: ListOrdered },
      { path: 'web-clients', key: 'webClients', icon: Headset },
      { path: 'sip-phones', key: 'telephones', icon: Phone },
      { path: 'templates', key: 'templates', icon: FileText },
      { path: 'opt-outs', key: 'optOuts', icon: BellOff },
      { path: 'exports', key: 'exports', icon: Download },
      { path: 'erasures', key: 'erasures', icon: UserX },
    ],
  },
  {
    key: 'numbers',
    entries: [
      { path: 'numbers', key: 'numbers', icon: Hash },
      { path: 'port-ins', key: 'portIns', icon: Replace },
      { path: 'e911', key: 'e911Addresses', icon: LifeBuoy },
    ],
  },
  {
    key: 'compliance',
    entries: [
      { path: 'brands', key: 'brands', icon: BookOpenCheck },
      { path: 'campaigns', key: 'campaigns', icon: MessagesSquare },
      { path: 'forms', key: 'optInForms', icon: FileSignature },
    ],
  },
  {
    key: 'developers',
    entries: [
      { path: 'webhooks', key: 'webhooks', icon: Webhook },
      { path: 'events', key: 'events', icon: Activity },
      { path: 'requests', key: 'requests', icon: Rows3 },
      { path: 'audit', key: 'auditLog', icon: ScrollText },
      { path: 'keys', key: 'apiKeys', icon: KeyRound },
      { path: 'users', key: 'users', icon: UserRoundCog, needs: 'admin' },
      { path: 'usage', key: 'usageAndCost', icon: ChartNoAxesColumn },
    ],
  },
  {
    key: 'testMode',
    only: 'test',
    entries: [
      { path: 'phones', key: 'devPhones', icon: Smartphone },
      { path: 'clock', key: 'clockAndFaults', icon: CalendarClock },
    ],
  },
];

export const OPERATOR_NAV: readonly NavEntry[] = [
  { path: 'connections', key: 'connections', icon: Network },
  { path: 'queues', key: 'queues', icon: ListTree },
  { path: 'accounts', key: 'accounts', icon: Users },
  { path: 'users', key: 'users', icon: UserRoundCog },
  { path: 'sessions', key: 'sessions', icon: MonitorSmartphone },
];

/** Returns the entries whose pages exist. */
export function existing(entries: readonly NavEntry[], pages: readonly PageEntry[]): NavEntry[] {
  const paths = new Set(pages.map(({ path }) => path.replace('/{-$id}', '')));
  return entries.filter(({ path }) => paths.has(path));
}
