/** Connection settings and durability guarantees of PostgreSQL servers. */
import type { ClientConfig } from 'pg';
import { readEndpoint } from '../endpoint.ts';
import type { TlsFiles } from '../tls-files.ts';

/** Servers and credentials. */
export interface PostgresAddress {
  /** Server addresses as `host:port`, or socket directories. One of the servers must be the primary. */
  readonly endpoints: readonly string[];
  readonly database: string;
  readonly username: string;
  readonly password: string;
  /** TLS files; `null` disables TLS. */
  readonly tls: TlsFiles | null;
}

/** Time to wait for a server's response, in milliseconds. */
const timeout = 5000;

/** Returns the settings of the `pg` library for an endpoint. */
export function clientConfig({ database, username, password, tls }: PostgresAddress, endpoint: string): ClientConfig {
  return {
    ...(endpoint.startsWith('/') ? { host: endpoint } : readEndpoint(endpoint, 5432)),
    database,
    user: username,
    password,
    ssl: tls === null ? false : secureOptions(tls),
    application_name: 'sluice',
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/** A server's durability guarantees for acknowledged writes. */
export interface PostgresDurability {
  readonly primary: boolean;
  /** True if the server setting `fsync` is on. */
  readonly durable: boolean;
  /** True if the server acknowledges writes only after standbys have received them. */
  readonly synchronous: boolean;
  /** True if transactions in this session wait until they are on disk. */
  readonly waits: boolean;
}

/** SQL query for the row that {@link readDurability} parses. */
export const durabilityQuery = `SELECT pg_is_in_recovery() AS replica, current_setting('fsync') AS fsync,
  current_setting('synchronous_commit') AS commit, current_setting('synchronous_standby_names') AS standbys`;

/** Parses the result row of {@link durabilityQuery}. */
export function readDurability(row: Readonly<Record<string, unknown>>): PostgresDurability {
  return {
    primary: row['replica'] === false,
    durable: row['fsync'] === 'on',
    synchronous: row['standbys'] !== '',
    waits: row['commit'] === 'on' || row['commit'] === 'remote_apply',
  };
}

function secureOptions({ ca, certificate, key, insecure }: TlsFiles): NonNullable<ClientConfig['ssl']> {
  return {
    rejectUnauthorized: insecure !== true,
    ...(ca === null ? {} : { ca }),
    ...(certificate === null ? {} : { cert: certificate }),
    ...(key === null ? {} : { key }),
  };
}
