/** Provisions the automation of certificates, which runs only in the control thread. */
import { dnsProviders } from '@sluice/contracts';
import type { Context, Options } from '@sluice/registry';
import { eventHubToken } from '@sluice/telemetry';
import { certificatesReloaded } from './certificates/messages.ts';
import type { CertificateLoader } from './contracts/certificate-loader.ts';
import { dnsDefaultsToken, type DnsDefaults } from './contracts/dns-defaults.ts';
import type { tlsOptions } from './options.ts';
import type { ThreadTls } from './thread-tls.ts';
import { ticketConfiguration } from './tickets/provision.ts';
import { automationSettings, type AutomationSettings } from './automation/settings.ts';
import { automateOwner } from './automation/wanted-names.ts';

type Config = Options<typeof tlsOptions>;

/** Provisions the automation. A dry run validates it without starting it. */
export async function provisionManagement(
  config: Config,
  loaders: ReadonlyMap<string, CertificateLoader>,
  tls: ThreadTls,
  context: Context,
): Promise<AutomationSettings> {
  context.provide(dnsDefaultsToken, await dnsDefaults(config, context));
  const settings = await automationSettings(config, context);
  const tickets = await ticketConfiguration(config, context);
  const { management, bus } = tls;
  if (management === null) return settings;
  const hub = context.find(eventHubToken);
  const storage = settings.defaults.plain.store.storage;
  const names = [...loaders.values()].flatMap((loader) => loader.names ?? []);
  context.onStart(() => management.lifecycle.preload(names, settings));
  context.onCommit(() => {
    management.configure(settings, (event, data) => void hub?.emitDeclared(event, data));
    management.lifecycle.want(automateOwner, names);
    management.tickets.use(tickets);
    management.cleaning.use(storage, settings.cleanInterval);
  });
  for (const [name, loader] of loaders) {
    let stop: (() => void) | undefined;
    context.onCommit(() => {
      stop = loader.watch?.((certificates) => bus.broadcast(certificatesReloaded, { loader: name, certificates }));
    });
    context.onRetire(() => stop?.());
    context.onDispose(() => stop?.());
  }
  return settings;
}

const noDnsDefaults: DnsDefaults = { provider: null, resolvers: [] };

async function dnsDefaults({ dns, resolvers }: Config, context: Context): Promise<DnsDefaults> {
  if ((dns ?? null) === null && (resolvers ?? null) === null) return noDnsDefaults;
  const provider = (dns ?? null) === null ? null : await context.loadInline(dnsProviders, dns ?? {}, 'name', 'dns');
  return { provider, resolvers: resolvers ?? [] };
}
