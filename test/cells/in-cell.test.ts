// own process: every harness of it has its account in a cell.
/** Files of other folders, with the account of each test in the second cell of an installation. */
process.env['DIALPLANE_TEST_CELL'] = '1';

await import('../contract/access.test.ts');
await import('../contract/event-data.test.ts');
await import('../contract/rate-limit.test.ts');
await import('../contract/roles.test.ts');
await import('../conformance/simulated.test.ts');
await import('../scenarios/journey.test.ts');
await import('../scenarios/media-streams.test.ts');

export {};
