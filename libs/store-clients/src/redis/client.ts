/** One connection to a Redis, by the library; it never connects again by itself, so that what was sent is never sent twice unseen. */
import { isIP } from 'node:net';
import type { Redis, RedisOptions } from 'ioredis';
import { guarded, taskOf } from '@sluice/base';
import { readEndpoint } from '../endpoint.ts';
import type { TlsFiles } from '../tls-files.ts';

const owner = taskOf('sluice.store-clients');

/** Where the servers are, and who asks. */
export interface RedisAddress {
  /** `host:port` of any servers of which one is the primary, or paths of sockets. */
  readonly endpoints: readonly string[];
  /** Whether the endpoints are those of Sentinels, and the name of what they watch; else empty. */
  readonly sentinelMaster: string;
  readonly username: string;
  readonly password: string;
  readonly database: number;
  /** `null` for connections without TLS. */
  readonly tls: TlsFiles | null;
}

/** What we choose. How replies are mapped is a part of the client's type: it stays as it is. */
type Choices = Omit<RedisOptions, 'replyMapping'>;

/** How long a server has to respond, in milliseconds. */
const patience = 5000;

const usual = {
  lazyConnect: true,
  enableOfflineQueue: false,
  enableReadyCheck: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
  sentinelRetryStrategy: () => null,
  connectTimeout: patience,
  commandTimeout: patience,
  keepAlive: 10_000,
  protocol: 2,
} satisfies Choices;

/** Opens a connection to an endpoint, which ends with the signal; rejects with what the server, or the network, says. */
export async function openClient(address: RedisAddress, endpoint: string, signal: AbortSignal): Promise<Redis> {
  const { Redis: Client } = await import('ioredis');
  signal.throwIfAborted();
  const client = new Client({ ...placeOf(address, endpoint), ...identityOf(address, endpoint), ...usual });
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

/** Ends a connection. The client would wait for the end of one that has ended already. */
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

/** `host` is empty for sockets, and for Sentinels, which name the server later. */
function secureOptions({ ca, certificate, key, insecure }: TlsFiles, host: string): NonNullable<Choices['tls']> {
  return {
    // RFC 6066, section 3: an address is not a server name. The library sends none by itself.
    ...(host === '' || isIP(host) !== 0 ? {} : { servername: host }),
    ...(ca === null ? {} : { ca }),
    ...(certificate === null ? {} : { cert: certificate }),
    ...(key === null ? {} : { key }),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
  };
}
