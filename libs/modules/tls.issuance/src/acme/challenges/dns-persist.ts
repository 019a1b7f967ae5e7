/**
 * The `dns-persist-01` challenge (draft-ietf-acme-dns-persist), with a permanent TXT record that the operator creates once. The record
 * authorizes the account at the CA. Neither DNS provider credentials nor reachable ports are needed.
 */
import { isPersistentRecord, persistentRecordName, persistentRecordValue, type Solver } from '@sluice/acme';
import { isSluiceError, parseDuration, SluiceError, type Logger } from '@sluice/base';
import type { Context, Segment } from '@sluice/registry';
import { dnsDefaultsToken } from '@sluice/tls-app';
import type { DnsPersistOptions } from '../options.ts';
import type { NameServer } from './dns-settings.ts';
import { awaitValue, delegatedName, resolverOf, zoneOf, type Lookup } from './name-server.ts';

const defaultTimeout = 300_000;

/** Provisions the solver. */
export function dnsPersistSolver(config: DnsPersistOptions, context: Context, ...at: Segment[]): Solver {
  const own = config.resolvers ?? [];
  const resolvers = own.length > 0 ? own : (context.find(dnsDefaultsToken)?.resolvers ?? []);
  const timeout = parseDuration(config.timeout ?? 0);
  if (timeout < 0) throw context.error('must not be negative', ...at, 'timeout');
  const lookup = { nameServer: resolverOf(resolvers), ownResolvers: resolvers.length > 0, delay: 0 };
  return solver({ ...lookup, timeout: timeout || defaultTimeout }, context.log);
}

/** Returns a solver that waits for a DNS record that authorizes the account. If there is none, logs which record to create. */
function solver(lookup: Lookup & { readonly timeout: number }, log: Logger): Solver {
  return async ({ identifier, wildcard, account, issuerNames, signal }) => {
    const wanted = { issuerNames, account, wildcard };
    const [name, value] = [persistentRecordName(identifier.value), persistentRecordValue(wanted)];
    const accepts = (text: string): boolean => isPersistentRecord(text, wanted, Date.now());
    const isCreated = (timeout: number): Promise<boolean> =>
      find({ ...lookup, timeout }, name, accepts, signal).then(
        () => true,
        (error: unknown) => {
          signal.throwIfAborted();
          if (isSluiceError(error)) return false;
          throw error;
        },
      );
    if (await isCreated(0)) return nothingToRemove;
    log.warn('create this DNS record to obtain the certificate; keep it for renewals', {
      identifier: wildcard ? `*.${identifier.value}` : identifier.value,
      type: 'TXT',
      name,
      value,
      timeout: `${lookup.timeout / 1000}s`,
    });
    if (await isCreated(lookup.timeout)) return nothingToRemove;
    throw new SluiceError(
      'ERR_ISSUANCE',
      `dns-persist-01 requires the TXT record ${name} with the value ${JSON.stringify(value)}, but the record is not visible after ${lookup.timeout / 1000} s`,
    );
  };
}

async function find(
  lookup: Lookup,
  name: string,
  accepts: (text: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const server: NameServer = lookup.nameServer;
  const target = await delegatedName(server, name);
  await awaitValue(lookup, await zoneOf(server, target), { name: target, type: 'TXT', accepts }, signal);
}

/** Cleanup that does nothing, because the record is permanent. */
const nothingToRemove = (): Promise<void> => Promise.resolve();
