import { errorPages } from './error-pages.ts';
import { eventPage } from './event-page.ts';
import { overviewPage } from './overview-page.ts';

export { openApiRoute } from './openapi-route.ts';
export { createProbes, type ProbeOptions } from './probes.ts';

/** The documentation that every installation serves of itself. */
export const docsPages = [overviewPage, eventPage, errorPages] as const;
