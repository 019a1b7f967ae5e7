/** Life cycle of a server: configuration, control plane, signals, and shutdown. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { httpApp } from '@sluice/http-app';
import { codeField, configDirectory, createLogger, messageOf, type Logger } from '@sluice/base';
import { preferThisThread } from '@sluice/threads';
import { defaultAdminAddress } from './admin-address.ts';
import { ConfigFile, type InitialConfig } from './configuration/config-file.ts';
import type { ServeOptions } from './run-options.ts';
import { started } from './events.ts';
import { failure } from './failure.ts';
import { FleetLifecycle } from './fleet/fleet-lifecycle.ts';
import { startControl, type Control } from './control.ts';
import { standardError, TerminalSink } from './logging/terminal-sink.ts';
import { findModules, sourceOf } from './modules/find-modules.ts';
import { FileStore } from './persistence/file-store.ts';
import { ProposalFile } from './persistence/proposal-file.ts';
import { RolloutFile } from './persistence/rollout-file.ts';
import { HistoryFile } from './persistence/history-file.ts';
import { catchEscapes } from './process/last-net.ts';
import { receiveInheritance } from './process/handover.ts';
import { collectOldInBurst } from './process/memory.ts';
import { Upgrade } from './process/upgrade.ts';
import { writePidFile } from './process/pid-file.ts';
import { ServiceManager } from './process/service-manager.ts';
import { handleSignals } from './process/signals.ts';
import { watchFile } from './process/watch-file.ts';
import { asUrl, boundAddresses, servedAddresses } from './served-addresses.ts';
import type { WorkerReserve } from './workers/worker-reserve.ts';

/** Exit timeout after the shutdown, in milliseconds. Leftover resources can't delay the exit any longer than this. */
const exitTimeout = 1000;

/** Serves requests until a signal or a client requests the shutdown. Returns the exit code. */
export async function serve(
  options: ServeOptions & { readonly workers: number },
  reserve: WorkerReserve,
): Promise<number> {
  const sink = new TerminalSink(standardError());
  const log = createLogger(sink);
  process.on('uncaughtExceptionMonitor', (error) => log.error('control thread failed', { error, stack: error.stack }));
  if (options.workers > 0) preferThisThread();
  if (options.pidfile !== undefined) writePidFile(options.pidfile, log);
  try {
    const folder = configDirectory();
    const modules = findModules({ named: options.module ?? [], cwd: process.cwd(), configuration: folder });
    const store = options.document === undefined ? await openStore(folder, log) : null;
    const file = new ConfigFile(options, log);
    const inheritance = await receiveInheritance();
    const fleet = new FleetLifecycle({ flags: options, folder, log });
    const initial = await fleet.initial(await file.initial(store, inheritance?.config ?? null), store);
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: upgradable, resolve: letUpgrade } = Promise.withResolvers<Upgrade>();
    const upgrade = async (): Promise<number> => (await upgradable).start();
    const control = await startControl({
      workers: options.workers,
      reserve,
      modules: modules.map(sourceOf),
      store,
      rollouts: store === null ? null : new RolloutFile(folder, log.named('rollout')),
      proposals: store === null ? null : new ProposalFile(folder, log.named('admin')),
      sink,
      logLevel: 'info',
      adminAddress: defaultAdminAddress(),
      onStop: ask,
      onUpgrade: upgrade,
      handle: fleet.handle,
      watchedFile: options.watch === true && options.config !== '-' ? (options.config ?? null) : null,
      configFile: options.config === undefined || options.config === '-' ? null : resolve(options.config),
      notSuppressed: (findings) => file.notSuppressed(findings),
      ...(inheritance === null ? {} : { sockets: inheritance.sockets }),
    });
    file.follow(control.reconciler);
    // Catch exceptions from this point on, because the server must continue to run. Before this point, an exception aborts startup.
    const endNet = catchEscapes();
    const ignoreSignals = handleSignals(
      {
        stop: () => ask(),
        exit: (code) => process.exit(code),
        reload: () => void file.reloadUnchanged(),
        upgrade: () =>
          void upgrade().catch((error: unknown) => log.error('upgrade failed', { error: messageOf(error) })),
      },
      log,
    );
    try {
      const op = randomUUID();
      fleet.attach(control.reconciler, op);
      const load = ({ document, origin, sources }: InitialConfig): Promise<unknown> =>
        control.reconciler.load(document, { op, origin, sources, force: true });
      const serving = load(initial)
        .catch((error: unknown) => {
          const other = fleet.fallback(error);
          if (other === null) throw error;
          return load(other);
        })
        .then(() => fleet.begin(control.reconciler))
        .then(() => control.ready())
        .then(() => true);
      // If a shutdown was requested, don't wait for a configuration that may never finish loading.
      if (await Promise.race([serving, asked.then(() => false)]))
        await untilAsked({
          asked,
          ask,
          letUpgrade,
          options: inheritance === null ? options : withoutGreeting(options),
          file,
          control,
          log,
        });
      else serving.catch((error: unknown) => log.error(messageOf(error), codeField(error)));
    } finally {
      await fleet.close();
      await control.stop();
      ignoreSignals();
      endNet();
      // Force the exit, because a module's remaining timers or sockets must not keep the process alive.
      setTimeout(() => process.exit(), exitTimeout).unref();
    }
    return 0;
  } catch (error) {
    log.error(messageOf(error), codeField(error));
    return failure;
  }
}

async function openStore(folder: string, log: Logger): Promise<FileStore> {
  const history = await HistoryFile.open(folder, log.named('history'));
  return new FileStore({ folder, log: log.named('autosave'), history });
}

/** A server that runs until a shutdown is requested. */
interface Serving {
  readonly asked: Promise<void>;
  readonly ask: () => void;
  /** Provides the upgrade action once the server is ready. */
  readonly letUpgrade: (upgrade: Upgrade) => void;
  readonly options: ServeOptions;
  readonly file: ConfigFile;
  readonly control: Control;
  readonly log: Logger;
}

async function untilAsked({ asked, ask, letUpgrade, options, file, control, log }: Serving): Promise<void> {
  const { workers, events, reconciler, adminAddress } = control;
  const watching = new AbortController();
  // Keep the process alive with a timer, even if there is no admin endpoint and no listener.
  const alive = setInterval(() => {}, 2 ** 30);
  const onTerminal = process.stderr.isTTY;
  log.info('serving', {
    addresses: servedAddresses(reconciler.app(httpApp), onTerminal),
    admin: onTerminal ? asUrl(adminAddress()) : adminAddress(),
    workers,
    pid: process.pid,
  });
  void events.emitDeclared(started, { workers, pid: process.pid });
  const manager = ServiceManager.of(process.env, log.named('systemd'));
  manager?.follow(reconciler.hooks);
  // If there are no workers, don't run the garbage collection after a burst. It would delay the requests that this thread serves.
  collectOldInBurst(reconciler.hooks, workers === 0 ? { collect: () => undefined } : {});
  const upgrade = new Upgrade({ control, log, manager, config: () => file.handed, stop: ask });
  letUpgrade(upgrade);
  const endWatch = manager?.watch(process.env);
  if (options.watch === true && options.config !== undefined && options.config !== '-') {
    void watchFile(options.config, () => file.reload('configuration file changed', 'watch'), {
      files: file.files,
      log,
      signal: watching.signal,
    });
  }
  control.discardSockets();
  process.send?.('serving');
  manager?.ready(`serving ${servedAddresses(reconciler.app(httpApp), false).join(', ')}`);
  await options.onServing?.(boundAddresses(reconciler.app(httpApp)));
  await asked;
  if (!upgrade.done) manager?.stopping();
  endWatch?.();
  watching.abort();
  clearInterval(alive);
}

/** Removes the startup notification from the options. The process that started the predecessor has already received it. */
function withoutGreeting<T extends ServeOptions>(options: T): Omit<T, 'onServing'> {
  const { onServing, ...rest } = options;
  return onServing === undefined ? options : rest;
}
