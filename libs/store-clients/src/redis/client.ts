/** A connection to Redis. Never reconnects by itself, because the library could then silently send a call twice. */
import { isIP } from 'node:net';
import type { Redis, RedisOptions } from 'ioredis';
import { guarded, taskOf } from '@sluice/base';
import { readEndpoint } from '../endpoint.ts';
import type { TlsFiles } from '../tls-files.ts';

const owner = taskOf('sluice.store-clients');

export interface RedisAddress {
  /** `host:port` of servers, including a primary, or socket paths. */
  readonly endpoints: readonly string[];
  /** Name of the monitored primary if the endpoints are Sentinels, otherwise empty. */
  readonly sentinelMaster: string;
  readonly username: string;
  readonly password: string;
  readonly database: number;
  /** `null` means without TLS. */
  readonly tls: TlsFiles | null;
}

/** Client options. The reply mapping is part of the client's type and must not change. */
type Choices = Omit<RedisOptions, 'replyMapping'>;

/** Response timeout of a server, in milliseconds. */
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

/** Connects to an endpoint. The signal closes the connection. Rejects with the error of the server or the network. */
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

/** Closes a connection. Without the check, the client would wait forever for a connection that is already closed. */
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

/** `host` is empty for sockets and for Sentinels, which determine the server later. */
function secureOptions({ ca, certificate, key, insecure }: TlsFiles, host: string): NonNullable<Choices['tls']> {
  return {
    // An address is not a server name (RFC 6066 §3). The library sends none by default.
    ...(host === '' || isIP(host) !== 0 ? {} : { servername: host }),
    ...(ca === null ? {} : { ca }),
    ...(certificate === null ? {} : { cert: certificate }),
    ...(key === null ? {} : { key }),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
  };
}
