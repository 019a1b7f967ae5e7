/** Client for PostgreSQL. */
export { PostgresConnection, type PostgresRow } from './connection.ts';
export type { PostgresAddress } from './client.ts';
