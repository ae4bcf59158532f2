import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/errors.ts';

/** Every request of the console that may change something has this header. Pages of other sites cannot send it. */
export const CONSOLE_HEADER = 'dialplane-console';

const OWN_SITES = new Set(['same-origin', 'none']);
const READS = new Set(['GET', 'HEAD']);

/**
 * Returns a check that a request with the console's cookie comes from the console itself. The check reads what the
 * browser states (Sec-Fetch-Site, Origin). It also requires a header that another site can send only with our consent
 * (CORS).
 * @param publicUrl the address of the console
 */
export function createSameSiteCheck(publicUrl: string): (request: FastifyRequest) => void {
  const consoleOrigin = new URL(publicUrl).origin;
  return ({ method, headers }) => {
    const site = headers['sec-fetch-site'];
    if (site !== undefined && !OWN_SITES.has(String(site))) throw new ApiError('cross_site_request');
    if (headers.origin !== undefined && headers.origin !== consoleOrigin) {
      throw new ApiError('cross_site_request', {
        message: `The console takes requests from its own pages at ${consoleOrigin}.`,
      });
    }
    if (!READS.has(method) && headers[CONSOLE_HEADER] !== '1') {
      throw new ApiError('cross_site_request', { message: 'The header "dialplane-console: 1" is missing.' });
    }
  };
}
