import pg from 'pg';
import { createConnector } from './connector.ts';

/** Makes a schema in a database, if it is missing. */
export async function createSchema(url: string, schema: string): Promise<void> {
  const settings = { application_name: 'dialplane migrate', connectionTimeoutMillis: 5_000 };
  const client = await createConnector(url).connect(settings);
  try {
    await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`);
  } finally {
    await client.end();
  }
}
