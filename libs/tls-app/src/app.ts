/** The `tls` app: loaded certificates, managed certificates, and TLS connections. */
import { apps, defineModule, type Context, type Options } from '@sluice/registry';
import { ControlBus, threadBusToken, threadTallyToken } from '@sluice/threads';
import type { TlsApp } from '@sluice/contracts';
import { certificateLoaders } from './contracts/certificate-loader.ts';
import { challengeBoardToken } from './contracts/challenge-board.ts';
import { noBoard } from './challenges/no-board.ts';
import { tlsOptions } from './options.ts';
import { ThreadTls } from './thread-tls.ts';

type Config = Options<typeof tlsOptions>;

export const tlsAppModule = defineModule(apps, {
  name: 'tls',
  help: 'TLS app: loaded and automatically managed certificates, automation policies, and session tickets.',
  config: tlsOptions,
  provision: provisionTls,
});

async function provisionTls(config: Config, context: Context): Promise<TlsApp> {
  const tls = (context.previous as ThreadTls | null) ?? (await makeThreadTls(context));
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
    const [{ provisionManagement }, { staplingRules }] = await Promise.all([
      import('./provision-automation.ts'),
      import('./automation/stapling-rules.ts'),
    ]);
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

async function makeThreadTls(context: Context): Promise<ThreadTls> {
  const bus = context.find(threadBusToken) ?? new ControlBus(context.log);
  const management = context.roles.control
    ? new (await import('./automation/management.ts')).Management(bus, context.log)
    : null;
  return new ThreadTls(bus, context.log, management, context.find(threadTallyToken) ?? null);
}
