import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDatabaseAddress } from './address.ts';

const HOST = 'postgres://me:hush@db.internal/name';

function problemOf(parameters: string): string {
  try {
    readDatabaseAddress(`${HOST}?${parameters}`);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

test('TLS parameters leave the address, others stay', () => {
  const { connectionString, tlsUses } = readDatabaseAddress(`${HOST}?sslmode=disable&application_name=x&ssl=1`);
  assert.equal(connectionString, `${HOST}?application_name=x`);
  assert.deepEqual(tlsUses, [false]);
  assert.equal(readDatabaseAddress(`${HOST}?sslmode=require`).connectionString, HOST);
});

test('a Unix socket uses no TLS, whatever the address asks for', () => {
  const { tlsUses } = readDatabaseAddress('postgres://me@localhost/name?host=/run/postgresql&sslmode=require');
  assert.deepEqual(tlsUses, [false]);
});

test('parameters that cannot be obeyed are refused in a sentence', () => {
  assert.match(problemOf('sslmode=loud'), /^sslmode is "loud"; give one of disable, allow, prefer, require, /);
  assert.match(problemOf('sslmode=verify-full&sslrootcert=/none.crt'), /^sslrootcert names "\/none.crt".*ENOENT/);
  assert.match(problemOf('sslmode=verify-full&sslcert=/none.crt'), /^sslcert names/);
  assert.match(problemOf('sslrootcert=system&sslmode=require'), /needs sslmode=verify-full/);
  assert.match(problemOf('sslcrl=/some.crl'), /^sslcrl is not supported/);
  assert.equal(problemOf('sslrootcert=system'), 'none');
});
