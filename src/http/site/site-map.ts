/** The pages of the documentation, in the order of the navigation. */

export type SitePage = {
  /** The path below /docs. */
  readonly slug: string;
  /** The name in the navigation. */
  readonly title: string;
  /** The Markdown file, from the root of the product. Absent for a page that code makes. */
  readonly file?: string;
};

export type SiteSection = { readonly title: string; readonly pages: readonly SitePage[] };

const guide = (slug: string, title: string): SitePage => ({ slug, title, file: `docs/${slug}.md` });

export const SITE_SECTIONS: readonly SiteSection[] = [
  {
    title: 'Start',
    pages: [
      guide('quickstart', 'Quickstart'),
      { slug: 'sdk', title: 'TypeScript SDK', file: 'packages/sdk/README.md' },
      { slug: 'examples', title: 'Examples', file: 'examples/README.md' },
      guide('not-included', 'What it does not do'),
      guide('console', 'Console'),
      guide('cli', 'Command line'),
      guide('tenants', 'Tenants and keys'),
      guide('api-basics', 'API basics'),
      guide('test-mode', 'Test mode'),
      guide('embeds', 'Embeds'),
      guide('testing', 'Testing your app'),
      guide('simulating', 'Events and phones in the terminal'),
    ],
  },
  {
    title: 'Texts and numbers',
    pages: [
      guide('numbers', 'Numbers'),
      guide('messaging', 'Messaging and opt-outs'),
      guide('scheduling', 'Scheduling'),
      guide('inbox', 'An inbox for a team'),
      guide('contacts', 'Contacts and search'),
      guide('pacing', 'Pacing'),
      guide('compliance', '10DLC registration'),
      guide('opt-in-forms', 'Opt-in forms'),
      guide('consent-and-privacy', 'Consent and privacy'),
    ],
  },
  {
    title: 'Calls',
    pages: [
      guide('voice', 'Calls'),
      guide('routing', 'Routing'),
      guide('queues', 'Queues'),
      guide('menus-and-transfers', 'Menus, transfers, hold'),
      guide('recordings-and-transcripts', 'Recordings and voicemail'),
      guide('media-streams', 'Media streams'),
      guide('agent-quickstart', 'A voice agent in ten minutes'),
      guide('relay', 'Relay'),
      guide('from-twilio', 'From Twilio'),
      guide('voice-agents', 'Voice agents'),
      guide('web-clients', 'Web clients'),
      { slug: 'softphone', title: 'Softphone library', file: 'packages/softphone/README.md' },
      guide('softphone-protocol', 'Softphone protocol'),
    ],
  },
  {
    title: 'Events and money',
    pages: [
      guide('webhooks', 'Webhooks'),
      guide('logs', 'Requests and events'),
      guide('listening', 'Webhooks on your machine'),
      guide('realtime', 'Realtime socket'),
      guide('billing', 'Usage and money'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      { slug: 'api', title: 'API reference' },
      { slug: 'operations', title: 'All operations' },
      guide('methods', 'Names in the SDK and the CLI'),
      { slug: 'events', title: 'Event types' },
      { slug: 'errors', title: 'Errors', file: 'docs/errors.md' },
      { slug: 'changelog', title: 'Changelog', file: 'CHANGELOG.md' },
    ],
  },
  {
    title: 'Running it',
    pages: [
      { slug: 'readme', title: 'Read me', file: 'README.md' },
      guide('operating', 'Operating'),
      guide('going-live', 'Going live'),
      guide('carriers', 'Carriers'),
      guide('carriers/telnyx', 'Telnyx'),
      guide('carriers/sip', 'SIP trunks and telephones'),
      guide('deploying', 'Deploying'),
      guide('growing', 'Growing'),
      { slug: 'kubernetes', title: 'Kubernetes', file: 'deploy/helm/dialplane/README.md' },
      guide('security', 'Security'),
      guide('data', 'Data'),
      guide('high-availability', 'High availability'),
      guide('benchmarks', 'Benchmarks'),
    ],
  },
  {
    title: 'Changing it',
    pages: [
      guide('architecture', 'Architecture'),
      guide('adding-a-resource', 'Adding a resource'),
      guide('adding-an-event', 'Adding an event'),
      guide('adding-a-carrier', 'Adding a carrier'),
      guide('test-suite', 'The test suite'),
      guide('mutations', 'What the tests notice'),
      { slug: 'contributing', title: 'Contributing', file: 'CONTRIBUTING.md' },
      guide('README', 'All pages and decisions'),
    ],
  },
];

export const SITE_PAGES: readonly SitePage[] = SITE_SECTIONS.flatMap(({ pages }) => pages);
