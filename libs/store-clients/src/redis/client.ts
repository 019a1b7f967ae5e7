/** A connection to Redis. It never reconnects automatically, because after a reconnect the library could silently send a call twice. */
import { isIP } from 'node:net';
import type { Redis, RedisOptions } from 'ioredis';
import { guarded, taskOf } from '@sluice/base';
import { readEndpoint } from '../endpoint.ts';
import type { TlsFiles } from '../tls-files.ts';

const owner = taskOf('sluice.store-clients');

export interface RedisAddress {
  /** Server addresses as `host:port`, or socket paths. One of the servers must be the primary. */
  readonly endpoints: readonly string[];
  /** Name of the monitored primary if the endpoints are Sentinels, otherwise empty. */
  readonly sentinelMaster: string;
  readonly username: string;
  readonly password: string;
  readonly database: number;
  /** TLS files; `null` disables TLS. */
  readonly tls: TlsFiles | null;
}

/** Redis client options. The reply mapping is excluded, because it is part of the client's type and must not change. */
type Choices = Omit<RedisOptions, 'replyMapping'>;

/** Time to wait for a server's response, in milliseconds. */
const timeout = 5000;

const defaultOptions = {
  lazyConnect: true,
  enableOfflineQueue: false,
  enableReadyCheck: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
  sentinelRetryStrategy: () => null,
  connectTimeout: timeout,
  commandTimeout: timeout,
  keepAlive: 10_000,
  protocol: 2,
} satisfies Choices;

/** Connects to an endpoint. Aborting the signal closes the connection. Rejects with the error of the server or the network. */
export async function openClient(address: RedisAddress, endpoint: string, signal: AbortSignal): Promise<Redis> {
  const { Redis: Client } = await import('ioredis');
  signal.throwIfAborted();
  const client = new Client({ ...placeOf(address, endpoint), ...identityOf(address, endpoint), ...defaultOptions });
  const end = guarded(owner, () => endClient(client));
  signal.addEventListener('abort', end, { once: true });
  client.on(
    'end',
    guarded(owner, () => signal.removeEventListener('abort', end)),
  );
  let reason: unknown;
  client.on('error', (error) => (reason = error));
  try {
    await client.connect();
    return client;
  } catch (error) {
    endClient(client);
    throw reason ?? error;
  }
}

/** Closes a connection. Checks the state first, because the client would wait forever if the connection is already closed. */
export function endClient(client: Redis): void {
  if (client.status !== 'close' && client.status !== 'end') client.disconnect();
}

function placeOf({ sentinelMaster, endpoints }: RedisAddress, endpoint: string): Choices {
  if (sentinelMaster !== '')
    return { name: sentinelMaster, sentinels: endpoints.map((each) => readEndpoint(each, 26_379)) };
  return endpoint.startsWith('/') ? { path: endpoint } : { ...readEndpoint(endpoint, 6379) };
}

function identityOf({ username, password, database, tls, sentinelMaster }: RedisAddress, endpoint: string): Choices {
  return {
    db: database,
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(tls === null
      ? {}
      : {
          tls: secureOptions(
            tls,
            sentinelMaster === '' && !endpoint.startsWith('/') ? readEndpoint(endpoint, 6379).host : '',
          ),
        }),
  };
}

/** Returns TLS options. `host` is empty for sockets, and for Sentinels, which select the server later. */
function secureOptions({ ca, certificate, key, insecure }: TlsFiles, host: string): NonNullable<Choices['tls']> {
  return {
    // Don't send an IP address as the server name (RFC 6066 §3). The library sends no name by default.
    ...(host === '' || isIP(host) !== 0 ? {} : { servername: host }),
    ...(ca === null ? {} : { ca }),
    ...(certificate === null ? {} : { cert: certificate }),
    ...(key === null ? {} : { key }),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
  };
}
