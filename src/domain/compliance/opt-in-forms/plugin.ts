/**
 * The public pages: GET and POST /opt-in/{slug} and /opt-out/{slug}, outside of /v1 and without an API key. A form
 * submission whose Accept header names HTML, as browsers send it, is answered with a page; every other submission with
 * JSON.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findPause } from '../../../db/pause.ts';
import { settleError } from '../../../http/edge/error-handler.ts';
import { MovedError } from '../../../http/edge/moved.ts';
import type { Api, RoutePlugin } from '../../../http/edge/types.ts';
import { addressOf } from '../../../http/limits/client-address.ts';
import type { MakeLimiter, Rate, RateLimiter } from '../../../http/limits/rate-limit.ts';
import { addressInCell } from '../../../lib/cells.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { refuseFields } from '../../../lib/errors/field-errors.ts';
import { networkOf } from '../../../lib/http/client-network.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { Type } from '../../../lib/type.ts';
import { readForm, readJson, readMultipart } from './entry.ts';
import { OPT_OUT_PATH, PAGE_PATH } from './get-form.ts';
import { optedOutPage, optOutPage } from './opt-out-page.ts';
import { type Attempt, formPage, noticePage, type Page, thanksPage } from './page.ts';
import { type PageTexts, pageTexts } from './page-texts.ts';
import { findMovedForm, findOptOutForm, findPublicForm, type PublicForm } from './queries.ts';
import { readPhoneNumber } from './rules.ts';
import { checkEntry, type Entry, type EntryErrors, phoneError, submitForm } from './submit-form.ts';

/** A person sends a form once, but the visitors of a shop share a network address. */
const RATE_OF_ADDRESS: Rate = { periodMs: 3_000, burst: 20 };
/** A form that is shown on a stage gets the submissions of a whole audience at the same time. */
const RATE_OF_FORM: Rate = { periodMs: 200, burst: 200 };

const BODY_BYTES_MAX = 16 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data';
const JSON_TYPE = 'application/json';
const SLUG = /^[a-z0-9-]{1,80}$/;

const schema = { hide: true, params: Type.Object({ slug: Type.String() }) } as const;

/** Opts a person out of a tenant's messages. */
export type OptOutPerson = (
  tx: Tx,
  ledger: Pick<Ledger, 'ledgerId'>,
  person: { readonly tenantId: string; readonly externalNumber: string },
) => Promise<unknown>;

/**
 * Returns the routes of the public pages. `makeLimiter` creates the limiters of their submissions, which both pages of
 * a form share.
 */
export function optInPages(makeLimiter: MakeLimiter, optOutPerson: OptOutPerson): RoutePlugin {
  return (app, context) => {
    // Encapsulated: only these routes parse forms, and only they answer errors with pages.
    app.register((scope, _options, done) => {
      readBodies(scope as Api);
      scope.setErrorHandler((error, request, reply) => {
        if (!wantsPage(request) || error instanceof MovedError) throw error;
        return sendPage(reply, ...refusalPage(error, request, reply));
      });
      const limit = createLimit(context, makeLimiter);
      addRoutes(scope as Api, context, limit);
      addOptOutRoutes(scope as Api, context, { limit, optOutPerson });
      done();
    });
  };
}

type Limit = (request: FastifyRequest) => Promise<void>;

function addRoutes(scope: Api, context: Context, limit: Limit): void {
  const form = async (slug: string): Promise<PublicForm> => {
    const found = SLUG.test(slug) ? await findPublicForm(context.db, slug) : undefined;
    return found ?? (await findElsewhere(context, PAGE_PATH, slug));
  };

  scope.get(`${PAGE_PATH}/:slug`, { schema }, async (request, reply) =>
    sendPage(reply, 200, formPage(await form(request.params.slug), textsFor(request))),
  );

  scope.post(`${PAGE_PATH}/:slug`, { schema, bodyLimit: BODY_BYTES_MAX, onRequest: limit }, async (request, reply) => {
    const shown = await form(request.params.slug);
    await refusePaused(context);
    const entry = readEntry(request, context.settings.publicUrl);
    const verdict = checkEntry(entry, shown.consent_text);
    if ('errors' in verdict) return refuse(request, reply, { shown, entry, errors: verdict.errors, page: formPage });
    const visitor = { ipAddress: addressOf(request), userAgent: request.headers['user-agent'] };
    const accepted = await submitForm(context.db, shown, verdict.number, visitor);
    if (wantsPage(request)) return sendPage(reply, 200, thanksPage(shown, textsFor(request), verdict.number));
    // The reply to a repeated entry equals the reply to a first one, so it does not reveal earlier sign-ups.
    const { phone_number, consent_text, submitted_at } = accepted;
    return reply.code(201).send({ object: 'opt_in_confirmation', phone_number, consent_text, submitted_at });
  });
}

/** The person types a number and nothing else; the other fields of the page do not matter to an opt-out. */
function addOptOutRoutes(
  scope: Api,
  context: Context,
  { limit, optOutPerson }: { limit: Limit; optOutPerson: OptOutPerson },
): void {
  const form = async (slug: string): Promise<PublicForm> => {
    const found = SLUG.test(slug) ? await findOptOutForm(context.db, slug) : undefined;
    return found ?? (await findElsewhere(context, OPT_OUT_PATH, slug));
  };

  scope.get(`${OPT_OUT_PATH}/:slug`, { schema }, async (request, reply) =>
    sendPage(reply, 200, optOutPage(await form(request.params.slug), textsFor(request))),
  );

  const options = { schema, bodyLimit: BODY_BYTES_MAX, onRequest: limit };
  scope.post(`${OPT_OUT_PATH}/:slug`, options, async (request, reply) => {
    const shown = await form(request.params.slug);
    await refusePaused(context);
    const entry = readEntry(request, context.settings.publicUrl, ['phone_number']);
    const number = readPhoneNumber(entry.phoneNumber ?? '');
    if (number === undefined) {
      const errors = { phone_number: phoneError(entry.phoneNumber) };
      return refuse(request, reply, { shown, entry, errors, page: optOutPage });
    }
    const person = { tenantId: shown.tenant_id, externalNumber: number };
    await context.db.transaction((tx) => optOutPerson(tx, { ledgerId: shown.ledger_id }, person));
    if (wantsPage(request)) return sendPage(reply, 200, optedOutPage(shown, textsFor(request), number));
    // The reply to a repeated entry equals the reply to a first one, so it does not reveal earlier opt-outs.
    return reply.code(201).send({ object: 'opt_out_confirmation', phone_number: number });
  });
}

/**
 * Throws the error for a form that this database does not have.
 * @throws MovedError, or ApiError opt_in_form_not_found
 */
async function findElsewhere(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  path: string,
  slug: string,
): Promise<never> {
  const cell = SLUG.test(slug) ? await findMovedForm(db, slug) : undefined;
  if (cell === undefined) throw new ApiError('opt_in_form_not_found');
  throw new MovedError(`${addressInCell(settings.publicUrl, cell)}${path}/${slug}`);
}

async function refusePaused({ db }: Pick<Context, 'db'>): Promise<void> {
  if ((await findPause(db)) !== undefined) throw new ApiError('service_paused', { retryAfterS: 60 });
}

type Refused = {
  shown: PublicForm;
  entry: Entry;
  errors: EntryErrors;
  page: (form: PublicForm, t: PageTexts, attempt: Attempt) => Page;
};

function refuse(request: FastifyRequest, reply: FastifyReply, { shown, entry, errors, page }: Refused): FastifyReply {
  const all = [errors.phone_number, errors.consent].filter((error) => error !== undefined);
  const first = all[0] as ApiError;
  if (!wantsPage(request)) {
    if (all.length > 1) refuseFields(all.map(({ param = '', code, message }) => ({ param, code, message })));
    throw first;
  }
  request.errorCode = first.code;
  return sendPage(
    reply,
    first.status,
    page(shown, textsFor(request), { phoneNumber: entry.phoneNumber ?? '', errors }),
  );
}

function readBodies(scope: Api): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    FORM_TYPE,
    { parseAs: 'string' },
    async (_request: unknown, body: string) => new URLSearchParams(body),
  );
  scope.addContentTypeParser(MULTIPART_TYPE, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    readMultipart(body, request.headers['content-type'] ?? ''),
  );
  scope.addContentTypeParser(JSON_TYPE, { parseAs: 'string' }, scope.getDefaultJsonParser('error', 'error') as never);
}

function readEntry({ body, headers, host }: FastifyRequest, publicUrl: string, fields?: string[]): Entry {
  const isForm = body instanceof URLSearchParams || body instanceof FormData;
  return isForm ? readForm(body, { headers, host, publicUrl }) : readJson(body, fields);
}

/** Returns true for a GET, and for a form submission whose Accept header names HTML, as only browsers send it. */
function wantsPage({ method, headers }: FastifyRequest): boolean {
  if (method !== 'POST') return true;
  const isJson = (headers['content-type'] ?? '').toLowerCase().startsWith(JSON_TYPE);
  return !isJson && namesHtml(headers.accept ?? '');
}

/** Limits submissions by network and by form. It is off if the rate limit of API keys is off. */
function createLimit({ settings, log }: Pick<Context, 'settings' | 'log'>, makeLimiter: MakeLimiter): Limit {
  const ofAddress = makeLimiter('opt-in-address', RATE_OF_ADDRESS);
  const ofForm = makeLimiter('opt-in-form', RATE_OF_FORM);
  let warned = false;

  const take = async (limiter: RateLimiter, name: string): Promise<void> => {
    const { allowed, retryAfterS } = await limiter.take(name);
    if (allowed) return;
    throw new ApiError('rate_limited', { retryAfterS, message: 'Too many submissions.' });
  };

  return async (request) => {
    if (!warned && settings.trustedProxies === 0 && request.headers['x-forwarded-for'] !== undefined) {
      warned = true;
      log.warn(
        'opt-in forms are reached through a proxy; set DIALPLANE_TRUSTED_PROXIES, or all visitors share its address and limit',
      );
    }
    if (!settings.rateLimit) return;
    await take(ofAddress, networkOf(addressOf(request)));
    await take(ofForm, (request.params as { slug: string }).slug);
  };
}

function sendPage(reply: FastifyReply, status: number, { markup, headers }: Page): FastifyReply {
  return reply.code(status).headers(headers).send(markup);
}

function refusalPage(thrown: unknown, request: FastifyRequest, reply: FastifyReply): [number, Page] {
  const { error, status } = settleError(thrown, request);
  if (error.retryAfterS !== undefined) reply.header('retry-after', String(error.retryAfterS));
  const t = textsFor(request);
  return [status, noticePage(explain(error, t), error.code, t)];
}

function explain({ code, status, retryAfterS }: ApiError, t: PageTexts): readonly string[] {
  if (status === 404) return t.notHere;
  if (code === 'rate_limited') return [t.tooMany, t.waitSeconds(retryAfterS ?? 1)];
  return status >= 500 ? t.wentWrong : t.notRead;
}

const textsFor = ({ headers }: Pick<FastifyRequest, 'headers'>): PageTexts => pageTexts(headers['accept-language']);

/** Returns true if an Accept header names text/html itself; programs that accept anything send a range with a star. */
function namesHtml(accept: string): boolean {
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(
      ([type, ...parameters]) =>
        type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)),
    );
}
