// own process: every harness of it has its account in a cell.
/**
 * Runs test files of other folders with the account of each test in a cell. They cover what differs there: ids, paths,
 * links, sockets and lists. front.test.ts tests which database a key leads to.
 */
process.env['DIALPLANE_TEST_CELL'] = '1';

await import('../contract/event-data.test.ts');
await import('../scenarios/journey.test.ts');

export {};
