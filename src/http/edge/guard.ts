import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/errors.ts';
import { ledgerTargetOf } from '../console/ledger-path.ts';
import { requireAbility, serveBrowser } from './abilities.ts';
import type { Authenticator, KeyDirectory } from './authenticate.ts';
import { refuseMoving } from './moved.ts';
import { requirePermission } from './permissions.ts';
import { type Limiters, refuseBeyond, refusePaused, refuseWrong, takeRate } from './rate-checks.ts';

type GuardOptions = Limiters & {
  /** The address of the installation. Its own pages send no Origin. */
  publicUrl: string;
  authenticator: Pick<Authenticator, 'authenticate'>;
  /** Throws cross_site_request if a request of the console does not come from the console's pages. */
  checkSameSite: (request: FastifyRequest) => void;
  /** Returns the ledger of a signed link. Errors: invalid_api_key. */
  verifyLink: (link: { path: string; expires: string; signature: string }) => { ledgerId: number };
  findState: KeyDirectory['findState'];
};

/**
 * Checks every request under /v1 before its route: the key, its rate, and whether the route accepts keys of its kind.
 */
export function createGuard(options: GuardOptions) {
  const { publicUrl, authenticator, checkSameSite, verifyLink, findState } = options;
  const refuse = (error: unknown, request: FastifyRequest) => refuseWrong(options, error, request);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { config } = request.routeOptions;
    if (ledgerTargetOf(request.raw) !== undefined) checkSameSite(request);
    if (config.public) return;
    // This comes first, so that a page can read every refusal.
    if (serveBrowser(request, reply)) return;
    const link = config.signedLink ? linkOf(request) : undefined;
    if (link !== undefined) {
      try {
        request.link = verifyLink(link);
      } catch (error) {
        return refuse(error, request);
      }
      // Each link has a separate rate, so that a shared link does not use up the rate of others.
      refuseBeyond(await takeRate(options, { name: `link:${link.path}` }, reply));
      const state = await findState(request.link.ledgerId);
      if (state?.suspended) throw new ApiError('account_suspended');
      if (state !== undefined) refuseMoving(state, { request: request.raw, publicUrl });
      return;
    }
    const caller = await authenticator.authenticate(request).catch((error) => refuse(error, request));
    const { scope, isSuspended, isPaused, place, rate: granted } = caller;
    request.scope = scope;
    const rate = await takeRate(options, { name: scope.keyId, rate: granted }, reply);
    // This comes before the rate limit, so that a suspended account gets account_suspended at any rate.
    if (isSuspended) throw new ApiError('account_suspended');
    refuseBeyond(rate);
    refusePaused(isPaused, request);
    refuseMoving(place, { request: request.raw, publicUrl });
    if (config.testOnly && scope.mode !== 'test') throw new ApiError('test_mode_only');
    if (scope.browser !== undefined) requireAbility(request, scope.browser, publicUrl);
    if (config.access === 'account' && scope.tenantId !== null) throw new ApiError('key_not_permitted');
    requirePermission(request, scope);
  };
}

/**
 * Returns the signed link of a request. Undefined if the request also has a key or a session, because those have
 * priority.
 */
function linkOf({
  headers,
  query,
  raw,
  url,
}: FastifyRequest): { path: string; expires: string; signature: string } | undefined {
  const { expires, signature } = query as Record<string, unknown>;
  if (headers.authorization !== undefined || ledgerTargetOf(raw) !== undefined || signature === undefined) {
    return undefined;
  }
  return { path: url.split('?', 1)[0] as string, expires: String(expires), signature: String(signature) };
}
