import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './client-network.ts';

test('an IPv4 address is one visitor, an IPv6 network of 64 bits is one too', () => {
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7');
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2');
  assert.equal(networkOf('2001:DB8:1:0002::9'), '2001:db8:1:2');
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0');
  assert.equal(networkOf('::1'), '0:0:0:0');
});
