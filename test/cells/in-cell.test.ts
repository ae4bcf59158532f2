// own process: every harness of it has its account in a cell.
/**
 * Files of other folders that meet what differs in a cell: ids, paths, links, sockets and lists. The account of each
 * test is in the cell of an installation. Which database a key leads to is in front.test.ts.
 */
process.env['DIALPLANE_TEST_CELL'] = '1';

await import('../contract/event-data.test.ts');
await import('../scenarios/journey.test.ts');

export {};
