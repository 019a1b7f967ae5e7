/** The `dynamic_dns` app, which updates A and AAAA records to point to this machine. */
import { messageOf, parseDuration } from '@sluice/base';
import { addressSources, dnsProviders, type AddressSource } from '@sluice/contracts';
import { apps, defineModule, type Context } from '@sluice/registry';
import { addressFilter, type AddressFilter } from './address-filter.ts';
import { configuredDomains } from './names.ts';
import { dynamicDnsOptions, type DynamicDnsConfig } from './options.ts';
import type { DynamicDnsApp } from './contract.ts';
import { Updater, type SettingProvider } from './updater.ts';

const defaultInterval = 30 * 60_000;

export const dynamicDnsAppModule = defineModule(apps, {
  name: 'dynamic_dns',
  help: 'Dynamic DNS app: looks up the public IP addresses of this machine, and updates A and AAAA records when they change. Compatible with the Caddy plugin mholt/caddy-dynamicdns.',
  config: dynamicDnsOptions,
  provision: provisionDynamicDns,
});

const nothing: DynamicDnsApp = { useDocument: () => undefined, state: null };

async function provisionDynamicDns(config: DynamicDnsConfig, context: Context): Promise<DynamicDnsApp> {
  const { roles } = context;
  // Traffic threads don't run the app. Dry runs validate its options.
  if (roles.traffic && !roles.control) return nothing;
  const [interval, ttl] = [config.check_interval, config.ttl].map((value) => parseDuration(value ?? 0)) as [
    number,
    number,
  ];
  if (interval < 0) throw context.error('must not be negative', 'check_interval');
  if (ttl < 0) throw context.error('must not be negative', 'ttl');
  const versions = { ipv4: config.versions?.ipv4 ?? true, ipv6: config.versions?.ipv6 ?? true };
  if (!versions.ipv4 && !versions.ipv6) throw context.error('all IP versions are disabled', 'versions');
  const updater = new Updater(
    {
      provider: await providerOf(config, context),
      domains: configuredDomains(config.domains ?? {}),
      dynamicDomains: config.dynamic_domains === true,
      updateOnly: config.update_only === true,
      sources: await sourcesOf(config, context),
      versions,
      filter: filterOf(config, context),
      interval: interval || defaultInterval,
      ttl,
    },
    context.log,
  );
  if (!roles.control) return nothing;
  context.onCommit(() => updater.start());
  context.onRetire(() => updater.stop());
  context.onDispose(() => {
    updater.stop();
    return updater.done();
  });
  return updater;
}

async function providerOf(config: DynamicDnsConfig, context: Context): Promise<SettingProvider> {
  const node = config.dns_provider ?? null;
  if (node === null) throw context.error('is required', 'dns_provider');
  const provider = await context.loadInline(dnsProviders, node, 'name', 'dns_provider');
  if (provider.set === undefined) throw context.error('this provider cannot set records', 'dns_provider');
  if (config.update_only === true && provider.get === undefined)
    throw context.error('update_only requires a provider that can list records', 'dns_provider');
  return provider as SettingProvider;
}

async function sourcesOf(config: DynamicDnsConfig, context: Context): Promise<readonly AddressSource[]> {
  const nodes = config.ip_sources ?? [];
  if (nodes.length > 0) return context.loadInlineList(addressSources, [...nodes], 'source', 'ip_sources');
  return [await context.loadNamed(addressSources, 'simple_http', {}, 'ip_sources')];
}

function filterOf({ include, exclude }: DynamicDnsConfig, context: Context): AddressFilter {
  for (const [name, ranges] of [
    ['include', include],
    ['exclude', exclude],
  ] as const)
    try {
      addressFilter(ranges ?? [], []);
    } catch (error) {
      throw context.error(messageOf(error), name);
    }
  return addressFilter(include ?? [], exclude ?? []);
}
