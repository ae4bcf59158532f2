import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/errors.ts';
import type { Authenticator } from '../edge/authenticate.ts';
import { mayChangeAccount } from '../edge/permissions.ts';
import { type Limiters, refuseBeyond, refusePaused, refuseWrong, takeRate } from '../edge/rate-checks.ts';

/** The prefix of the paths of the console's own API: sessions, accounts, and the installation's data for operators. */
export const CONSOLE_API = '/console/api';

type GuardOptions = Limiters & {
  readonly authenticator: Pick<Authenticator, 'readSession'>;
  /** Throws cross_site_request if the request does not come from the console's pages. */
  readonly checkSameSite: (request: FastifyRequest) => void;
};

/** Checks every request to the console's own API before its route: its origin, its session and its rate. */
export function createSessionGuard(options: GuardOptions) {
  const { authenticator, checkSameSite } = options;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { config } = request.routeOptions;
    checkSameSite(request);
    if (config.public) return;
    const held = await authenticator.readSession(request).catch((error) => refuseWrong(options, error, request));
    const { is_paused, ...session } = held;
    request.session = session;
    refuseBeyond(await takeRate(options, { name: session.id }, reply));
    if (!config.whilePaused) refusePaused(is_paused, request);
    if (config.access === 'operator' && session.role !== 'operator') throw new ApiError('operator_required');
    if (config.access === 'admin' && !mayChangeAccount(session.role)) {
      throw new ApiError('key_not_permitted', { message: `The role ${session.role} does not allow this.` });
    }
  };
}
