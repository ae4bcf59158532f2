import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutboundError, toOutboundError } from './outbound-error.ts';

function kindOfCode(code: string): string {
  return toOutboundError(Object.assign(new Error('connect 10.0.0.7:443'), { code })).kind;
}

test('the kind of a failure follows from the code of its error', () => {
  const codes: Record<string, readonly string[]> = {
    dns: ['ENOTFOUND', 'EAI_AGAIN'],
    connect: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'],
    tls: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CERT_HAS_EXPIRED',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'EPROTO',
    ],
    timeout: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
    reset: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
    aborted: ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'],
    protocol: ['HPE_INVALID_CONSTANT', 'UND_ERR_HEADERS_OVERFLOW', 'anything else'],
  };
  for (const [kind, list] of Object.entries(codes)) {
    for (const code of list) assert.equal(kindOfCode(code), kind, code);
  }
});

test('the public message never repeats the text of the system', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { code: 'ECONNREFUSED' });
  const error = toOutboundError(cause);
  assert.doesNotMatch(error.message, /10\.0\.0\.7|ECONN/);
  assert.equal(error.cause, cause);
});

test('an error that is classified already stays as it is', () => {
  const error = new OutboundError('dns');
  assert.equal(toOutboundError(error), error);
});
