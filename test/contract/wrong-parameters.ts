/** Requests with wrong parameters, from a valid request. */
import assert from 'node:assert/strict';
import { writeCursor } from '../../src/http/schemas/pagination.ts';
import { queryNames, type Route } from './document.ts';
import type { Request } from './fixture.ts';
import { type Attempt, refusedWith } from './requests.ts';

function withQuery(request: Request, changes: Record<string, string>): Pick<Attempt, 'what' | 'request'> {
  return {
    what: `with ?${new URLSearchParams(changes)}`,
    request: { ...request, query: { ...request.query, ...changes } },
  };
}

const succeeds: Attempt['check'] = ({ status, body }) => assert.equal(status, 200, JSON.stringify(body));

export function unknownParameters(_: Route, request: Request): Attempt[] {
  return [{ ...withQuery(request, { tenant: 'x' }), check: refusedWith(400, 'invalid_body', 'tenant') }];
}

const WRONG_LIMITS = ['0', '101', '-1', '1.5', '5.0', '0x10', '1e1', ' 5', '+5', 'abc', ''];

/** Limits outside of 1 to 100; 1 and 100 are accepted. */
export function limits(route: Route, request: Request): Attempt[] {
  if (!queryNames(route).includes('limit')) return [];
  const check = refusedWith(400, 'invalid_body', 'limit');
  return [
    ...WRONG_LIMITS.map((limit) => ({ ...withQuery(request, { limit }), check })),
    ...['1', '100'].map((limit) => ({ ...withQuery(request, { limit }), check: succeeds })),
  ];
}

const FOREIGN_CURSORS = ['abc', 'null', writeCursor(['elsewhere', 'x']), '%00', 'W10', 'x'.repeat(501), ''];

/** Texts that are not a cursor of the list. */
export function cursors(route: Route, request: Request): Attempt[] {
  if (!queryNames(route).includes('after')) return [];
  const check = refusedWith(400, 'invalid_cursor', 'after');
  return FOREIGN_CURSORS.map((after) => ({ ...withQuery(request, { after }), check }));
}

const NO_MOMENTS = ['yesterday', '2026-02-30', '2026-01-01T00:00:00', '', `2026-01-01T00:00:00.${'0'.repeat(40)}Z`];

/** Ranges with an invalid start or end, ranges that end before they start, and a valid range. */
export function ranges(route: Route, { query: _, ...request }: Request): Attempt[] {
  if (!queryNames(route).includes('start')) return [];
  return [
    ...NO_MOMENTS.flatMap((moment) => [
      { ...withQuery(request, { start: moment }), check: refusedWith(400, 'invalid_start', 'start') },
      { ...withQuery(request, { end: moment }), check: refusedWith(400, 'invalid_end', 'end') },
    ]),
    { ...withQuery(request, { end: 'a\0b' }), check: refusedWith(400, 'invalid_end', 'end') },
    {
      ...withQuery(request, { start: '2026-01-02', end: '2026-01-01' }),
      check: refusedWith(400, 'invalid_range', 'start'),
    },
    { ...withQuery(request, { start: '2026-01-01', end: '2026-01-01T00:00:01Z' }), check: succeeds },
  ];
}

/** Keys that are too long or empty. */
export function idempotencyKeys({ method }: Route, request: Request): Attempt[] {
  if (method !== 'POST') return [];
  return ['k'.repeat(256), ' '].map((key) => ({
    what: `with an Idempotency-Key of ${key.length} characters`,
    request,
    options: { headers: { 'idempotency-key': key } },
    check: refusedWith(400, 'invalid_body', 'Idempotency-Key'),
  }));
}
