/** The `pki` app, which manages certificate authorities by ID. */
import { apps, defineModule, type Context, type Options } from '@sluice/registry';
import { SluiceError, messageOf, taskOf, unawaited, type Logger, guarded } from '@sluice/base';
import { storages, storageToken } from '@sluice/contracts';
import { threadBusToken } from '@sluice/threads';
import { serveCertificates, authorityRenewed, certificatesOf } from './authority-certificates.ts';
import type { Authority } from './authority/authority.ts';
import { settingsOf } from './authority/settings.ts';
import { StoredAuthority } from './authority/stored-authority.ts';
import { defaultAuthority, type PkiApp } from './contract.ts';
import { pkiOptions, type AuthorityOptions } from './options.ts';
import { thisMachine } from './trust/machine.ts';
import { rootCertificate, type Machine } from './trust/store.ts';
import { machineToken, trustRoot } from './trust/stores.ts';

export const pkiAppModule = defineModule(apps, {
  name: 'pki',
  help: 'Certificate authorities that issue certificates for this server and for other servers. Clients must trust their root certificates.',
  config: pkiOptions,
  provision: provisionPki,
});

/** Opens a CA on the first call, and returns the same CA afterwards. */
type Open = () => Promise<Authority>;

interface Prepared {
  readonly open: Open;
  readonly intermediateLifetime: number;
}

async function provisionPki(config: Options<typeof pkiOptions>, context: Context): Promise<PkiApp> {
  const nodes = Object.entries(config.certificate_authorities ?? {});
  const authorities = new Map<string, Prepared>();
  for (const [id, node] of nodes) {
    const at = ['certificate_authorities', id];
    const prepared = await prepareAuthority(id, node ?? {}, context, at);
    const { open } = prepared;
    // Open the configured CAs immediately, so that a problem with a CA rejects the configuration.
    if (context.roles.control) await orRefuse(open, context, at);
    if (context.roles.control && node?.install_trust === true) installAtCommit(open, context);
    authorities.set(id, prepared);
  }
  if (!authorities.has(defaultAuthority))
    authorities.set(defaultAuthority, await prepareAuthority(defaultAuthority, {}, context, []));
  const app: PkiApp = {
    authority: async (id) => (await authorities.get(id)?.open()) ?? null,
    intermediateLifetime: (id) => authorities.get(id)?.intermediateLifetime ?? null,
  };
  if (context.roles.control) serveCertificates(app, context);
  return app;
}

async function orRefuse(open: Open, context: Context, at: readonly string[]): Promise<void> {
  try {
    await open();
  } catch (error) {
    throw context.error(messageOf(error), ...at);
  }
}

/** Installs the root certificate in this machine's trust stores after the configuration becomes active. Failures are logged. */
function installAtCommit(open: Open, context: Context): void {
  const machine = context.find(machineToken) ?? thisMachine;
  const { log } = context;
  context.onCommit(() => unawaited(taskOf('pki'), install(open, machine, log)));
}

async function install(open: Open, machine: Machine, log: Logger): Promise<void> {
  try {
    const { id, rootCertificate: pem } = await open();
    for (const { store, error } of await trustRoot(rootCertificate(pem), machine)) {
      if (error === null) log.info('root certificate is trusted by this machine', { ca: id, store });
      else log.warn('failed to install root certificate; try `sluice trust`', { ca: id, store, error });
    }
  } catch (error) {
    log.error('failed to install root certificate', { error });
  }
}

async function prepareAuthority(
  id: string,
  config: AuthorityOptions,
  context: Context,
  at: readonly string[],
): Promise<Prepared> {
  const settings = settingsOf(id, config, (message, ...segments) => context.error(message, ...at, ...segments));
  const own = config.storage ?? null;
  const storage =
    own === null
      ? await context.app(storageToken)
      : await context.loadInline(storages, own, 'module', ...at, 'storage');
  const { log } = context;
  if (!context.roles.control) {
    const open: Open = () =>
      Promise.reject(
        new SluiceError('ERR_THREAD_ROLE', `certificate authority ${id} is available only in the control thread`),
      );
    return { open, intermediateLifetime: settings.intermediateLifetime };
  }
  let timer: NodeJS.Timeout | undefined;
  let opened: Promise<StoredAuthority> | null = null;
  let disposed = false;
  context.onDispose(() => {
    disposed = true;
    clearInterval(timer);
  });
  const bus = context.find(threadBusToken);
  const renewed = (authority: Authority): void => bus?.broadcast(authorityRenewed, certificatesOf(authority));
  const open = async (): Promise<Authority> => {
    try {
      opened ??= StoredAuthority.open(settings, storage, log, renewed);
      const authority = await opened;
      if (timer === undefined && !disposed) {
        const maintain = guarded(taskOf('pki'), () => unawaited(taskOf('pki'), authority.maintain()));
        timer = setInterval(maintain, settings.maintenanceInterval);
        timer.unref();
      }
      return authority;
    } catch (error) {
      // Clear the result, so that the next caller retries.
      opened = null;
      throw error;
    }
  };
  return { open, intermediateLifetime: settings.intermediateLifetime };
}
