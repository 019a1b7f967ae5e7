/** How the library connects to a PostgreSQL, and what its servers promise. */
import type { ClientConfig } from 'pg';
import { readEndpoint } from '../endpoint.ts';
import type { TlsFiles } from '../tls-files.ts';

/** Where the servers are, and who asks. */
export interface PostgresAddress {
  /** `host:port` of any servers of which one is the primary, or folders of sockets. */
  readonly endpoints: readonly string[];
  readonly database: string;
  readonly username: string;
  readonly password: string;
  /** `null` for connections without TLS. */
  readonly tls: TlsFiles | null;
}

/** How long a server has to respond, in milliseconds. */
const patience = 5000;

/** The library's settings for an endpoint. */
export function clientConfig({ database, username, password, tls }: PostgresAddress, endpoint: string): ClientConfig {
  return {
    ...(endpoint.startsWith('/') ? { host: endpoint } : readEndpoint(endpoint, 5432)),
    database,
    user: username,
    password,
    ssl: tls === null ? false : secureOptions(tls),
    application_name: 'sluice',
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/** What a server does for what it has acknowledged. */
export interface PostgresCare {
  readonly primary: boolean;
  /** `fsync` is on. */
  readonly durable: boolean;
  /** Standbys have it too before it is acknowledged. */
  readonly synchronous: boolean;
  /** Transactions of this session wait until they are on disk. */
  readonly waits: boolean;
}

/** Asks for {@link PostgresCare}, as {@link readCare} takes it. */
export const careQuery = `SELECT pg_is_in_recovery() AS replica, current_setting('fsync') AS fsync,
  current_setting('synchronous_commit') AS commit, current_setting('synchronous_standby_names') AS standbys`;

/** Reads the row of {@link careQuery}. */
export function readCare(row: Readonly<Record<string, unknown>>): PostgresCare {
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
