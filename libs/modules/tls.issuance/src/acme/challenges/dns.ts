/** The `dns-01` challenge: a `dns.providers` module creates a record in the name's zone. */
import { dnsChallengeName, dnsChallengeValue, type Solver } from '@sluice/acme';
import { parseDuration } from '@sluice/base';
import type { Context, Segment } from '@sluice/registry';
import { dnsProviders, type DnsRecord } from '@sluice/contracts';
import { dnsDefaultsToken } from '@sluice/tls-app';
import type { DnsChallengeOptions } from '../options.ts';
import { awaitRecord, delegatedName, resolverOf, zoneOf, type WantedRecord } from './name-server.ts';
import type { DnsSettings } from './dns-settings.ts';

const defaultTimeout = 120_000;

export async function provisionDnsSolver(
  config: DnsChallengeOptions,
  context: Context,
  ...at: Segment[]
): Promise<Solver> {
  return dnsSolver(await dnsSettingsOf(config, context, ...at));
}

/** Returns the DNS challenge settings. Throws an error with the configuration path if there is no provider. */
export async function dnsSettingsOf(
  config: DnsChallengeOptions,
  context: Context,
  ...at: Segment[]
): Promise<DnsSettings> {
  const defaults = context.find(dnsDefaultsToken);
  const configured = config.provider ?? null;
  const provider =
    configured === null
      ? (defaults?.provider ?? null)
      : await context.loadInline(dnsProviders, configured, 'name', ...at, 'provider');
  if (provider === null)
    throw context.error('no DNS provider is configured; set provider here, or dns in the tls app', ...at, 'provider');
  const own = config.resolvers ?? [];
  const resolvers = own.length > 0 ? own : (defaults?.resolvers ?? []);
  const timeout = parseDuration(config.propagation_timeout ?? 0);
  return {
    provider,
    ttl: parseDuration(config.ttl ?? 0),
    delay: Math.max(0, parseDuration(config.propagation_delay ?? 0)),
    timeout: timeout < 0 ? null : timeout || defaultTimeout,
    overrideName: config.override_domain || null,
    nameServer: resolverOf(resolvers),
    ownResolvers: resolvers.length > 0,
    log: context.log,
  };
}

/** Returns a solver that creates the challenge record and waits until it is visible. */
function dnsSolver(settings: DnsSettings): Solver {
  return async ({ identifier, keyAuthorization, signal }) => {
    const name =
      settings.overrideName ?? (await delegatedName(settings.nameServer, dnsChallengeName(identifier.value)));
    return setRecord(settings, { name, type: 'TXT', value: dnsChallengeValue(keyAuthorization) }, signal);
  };
}

/** Creates a record for a fully qualified name, and waits until it is visible. Returns a function that removes the record. */
export async function setRecord(
  settings: DnsSettings,
  record: WantedRecord,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const { provider, nameServer, ttl, log } = settings;
  const { name, type, value } = record;
  const zone = await zoneOf(nameServer, name);
  const records: readonly DnsRecord[] = [{ name: relativeName(name, zone), type, value, ttl }];
  await provider.append(zone, records, signal);
  // Runs even after an abort, but with a timeout.
  const remove = async (): Promise<void> => {
    try {
      await provider.remove(zone, records, AbortSignal.timeout(defaultTimeout));
    } catch (error) {
      log.warn('failed to remove DNS record', { name, type, zone, error });
    }
  };
  try {
    await awaitRecord(settings, zone, record, signal);
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}

/** Returns a name relative to its zone: `_acme-challenge.www` for `_acme-challenge.www.example.com` in `example.com.`. */
function relativeName(name: string, zone: string): string {
  const suffix = `.${zone.slice(0, -1)}`;
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : '@';
}
