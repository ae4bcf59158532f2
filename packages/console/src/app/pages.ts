import {
  Activity,
  BookOpenCheck,
  Building2,
  CalendarClock,
  ChartNoAxesColumn,
  Clock,
  FileSignature,
  Hash,
  House,
  Inbox,
  KeyRound,
  LifeBuoy,
  ListTree,
  type LucideIcon,
  MessagesSquare,
  Network,
  PhoneCall,
  PhoneForwarded,
  Replace,
  Rows3,
  ScrollText,
  Smartphone,
  Truck,
  Users,
  Webhook,
} from 'lucide-react';

/** A page: its path below `/{mode}/{account}/` (or `/operator/`), and the module and export that draw it. */
export type PageEntry = {
  readonly path: string;
  readonly load: () => Promise<Record<string, unknown>>;
  readonly component: string;
};

/** An entry of the navigation. Its path is that of a page. */
export type NavEntry = { readonly path: string; readonly title: string; readonly icon: LucideIcon };

export type NavGroup = { readonly title: string | null; readonly only?: 'test'; readonly entries: readonly NavEntry[] };

/** The pages of a ledger. A page that is opened by id has `$id` in its path. */
export const PAGES: readonly PageEntry[] = [
  { path: '', load: () => import('../pages/overview/overview.tsx'), component: 'OverviewPage' },
  { path: 'tenants', load: () => import('../pages/tenants/list.tsx'), component: 'TenantsPage' },
  { path: 'tenants/$id', load: () => import('../pages/tenants/tenant.tsx'), component: 'TenantPage' },
  { path: 'calls', load: () => import('../pages/calls/list.tsx'), component: 'CallsPage' },
  { path: 'calls/$id', load: () => import('../pages/calls/call.tsx'), component: 'CallPage' },
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
  { path: 'keys', load: () => import('../pages/keys/keys.tsx'), component: 'KeysPage' },
  { path: 'usage', load: () => import('../pages/usage/usage.tsx'), component: 'UsagePage' },
];

/** The pages of operators. */
export const OPERATOR_PAGES: readonly PageEntry[] = [];

/** The navigation of a ledger. An entry whose page does not exist is left out. */
export const NAV: readonly NavGroup[] = [
  {
    title: null,
    entries: [
      { path: '', title: 'Overview', icon: House },
      { path: 'tenants', title: 'Tenants', icon: Building2 },
    ],
  },
  {
    title: 'Conversations',
    entries: [
      { path: 'inbox', title: 'Inbox', icon: Inbox },
      { path: 'calls', title: 'Calls', icon: PhoneCall },
      { path: 'routing', title: 'Routing', icon: PhoneForwarded },
    ],
  },
  {
    title: 'Numbers',
    entries: [
      { path: 'numbers', title: 'Numbers', icon: Hash },
      { path: 'port-ins', title: 'Port-ins', icon: Replace },
      { path: 'e911', title: 'E911 addresses', icon: LifeBuoy },
    ],
  },
  {
    title: 'Compliance',
    entries: [
      { path: 'brands', title: 'Brands', icon: BookOpenCheck },
      { path: 'campaigns', title: 'Campaigns', icon: MessagesSquare },
      { path: 'forms', title: 'Opt-in forms', icon: FileSignature },
    ],
  },
  {
    title: 'Developers',
    entries: [
      { path: 'webhooks', title: 'Webhooks', icon: Webhook },
      { path: 'events', title: 'Events', icon: Activity },
      { path: 'requests', title: 'Requests', icon: Rows3 },
      { path: 'audit', title: 'Audit log', icon: ScrollText },
      { path: 'keys', title: 'API keys', icon: KeyRound },
      { path: 'usage', title: 'Usage and cost', icon: ChartNoAxesColumn },
    ],
  },
  {
    title: 'Test mode',
    only: 'test',
    entries: [
      { path: 'phones', title: 'Dev phones', icon: Smartphone },
      { path: 'clock', title: 'Clock and faults', icon: CalendarClock },
    ],
  },
];

export const OPERATOR_NAV: readonly NavEntry[] = [
  { path: 'connections', title: 'Connections', icon: Network },
  { path: 'queues', title: 'Queues', icon: ListTree },
  { path: 'accounts', title: 'Accounts', icon: Users },
  { path: 'sessions', title: 'Sessions', icon: Clock },
  { path: 'carrier-notices', title: 'Notices', icon: Truck },
];

/** Returns the entries whose pages exist. */
export function existing(entries: readonly NavEntry[], pages: readonly PageEntry[]): NavEntry[] {
  return entries.filter(({ path }) => pages.some((page) => page.path === path));
}
