/** The `tls` app: loaded certificates, managed certificates, and TLS connections. */
import { apps, defineModule, type Context, type Options } from '@sluice/registry';
import { ControlBus, threadBusToken, threadTallyToken } from '@sluice/threads';
import { eventHubToken } from '@sluice/telemetry';
import { dnsProviders, type TlsApp } from '@sluice/contracts';
import { Management } from './automation/management.ts';
import { automateOwner } from './automation/wanted-names.ts';
import { automationSettings, type AutomationSettings } from './automation/settings.ts';
import { certificateLoaders, type CertificateLoader } from './contracts/certificate-loader.ts';
import { challengeBoardToken } from './contracts/challenge-board.ts';
import { noBoard } from './challenges/notices.ts';
import { dnsDefaultsToken, type DnsDefaults } from './contracts/dns-defaults.ts';
import { certificatesReloaded } from './certificates/messages.ts';
import { staplingRules } from './automation/stapling-rules.ts';
import { tlsOptions } from './options.ts';
import { ticketConfiguration } from './tickets/provision.ts';
import { ThreadTls } from './thread-tls.ts';

type Config = Options<typeof tlsOptions>;

export const tlsAppModule = defineModule(apps, {
  name: 'tls',
  help: 'TLS app: loaded and automatically managed certificates, automation policies, and session tickets.',
  config: tlsOptions,
  provision: provisionTls,
});

async function provisionTls(config: Config, context: Context): Promise<TlsApp> {
  const tls = (context.previous as ThreadTls | null) ?? makeThreadTls(context);
  // Keep these services across configurations. Otherwise, modules that use them would have to be provisioned again.
  context.provide(challengeBoardToken, tls.management?.notices ?? noBoard);
  const { roles } = context;
  if (roles.control || roles.traffic) {
    await tls.retain();
    context.onDispose(() => tls.release());
  }
  const loaders = await context.loadMap(certificateLoaders, config.certificates ?? {}, 'certificates');
  const loaded = await tls.loaded.prepare(loaders, context);
  const stapling = tls.management?.stapling;
  if (!roles.traffic || roles.control) {
    const settings = await provisionManagement(config, loaders, tls, context);
    const certificates = [...loaded.values()].flatMap((set) => set.certificates);
    context.onStart(() => stapling?.preload(certificates, staplingRules(settings)));
  }
  context.onCommit(() => {
    tls.loaded.use(loaded);
    stapling?.useLoaded(tls.loaded.all);
    tls.contexts.useTickets(config.session_tickets?.disabled !== true);
  });
  return tls;
}

function makeThreadTls(context: Context): ThreadTls {
  const bus = context.find(threadBusToken) ?? new ControlBus(context.log);
  const management = context.roles.control ? new Management(bus, context.log) : null;
  return new ThreadTls(bus, context.log, management, context.find(threadTallyToken) ?? null);
}

/** Provisions the parts that run only in the control thread. A dry run validates them without starting them. */
async function provisionManagement(
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
    tls.cleaning.use(storage, settings.cleanInterval);
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
