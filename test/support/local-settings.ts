import type { Settings } from '../../src/context.ts';

/** Settings of a product on this machine that is neither rate limited nor behind a proxy. */
export const LOCAL_SETTINGS: Settings = {
  publicUrl: 'http://localhost',
  mediaUrl: 'ws://localhost',
  rateLimit: false,
  allowLocalWebhooks: true,
  trustedProxies: 0,
};
