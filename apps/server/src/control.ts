/**
 * Control plane of a server. It consists of the configuration with its reconciler, the admin endpoint, the saved configuration, and the
 * workers. If there are no workers, the same thread also serves requests with the same code.
 */
import { randomBytes } from 'node:crypto';
import {
  AdminEndpoint,
  adminEndpoint,
  ConfigPuller,
  configPuller,
  type ProposalStore,
  remoteEndpoint,
  serveAdmin,
} from '@sluice/admin-api';
import {
  allocateSharedCells,
  atOriginalPriority,
  ControlBus,
  serveTally,
  SharedCells,
  TallyStore,
  tallyStoreToken,
  TrafficPool,
} from '@sluice/threads';
import {
  eventHubToken,
  LogRouter,
  metricsToken,
  LogTail,
  logTailToken,
  OpenOutputs,
  recordFaults,
  type EventHub,
  type Metrics,
} from '@sluice/telemetry';
import {
  closeOnExec,
  canReusePort,
  createLogger,
  ListenSockets,
  type Logger,
  type LogLevel,
  type LogSink,
  type SocketDescriptors,
  codeField,
  messageOf,
} from '@sluice/base';
import {
  LiveRequests,
  liveRequestsToken,
  QuicLogStore,
  quicLogStoreToken,
  RequestSamples,
  requestSamplesToken,
  RequestTraces,
  requestTracesToken,
} from '@sluice/http-observability';
import { datagramRoutes, sampleSettingsToken, type SampleSettings } from '@sluice/http-app';
import { adaptingThread, Reconciler, noThreads, Runtime, type ConfigStore, type KeepBack } from '@sluice/reconciler';
import { ReportKey } from './persistence/report-key.ts';
import { SampleFile } from './persistence/sample-file.ts';
import { ProvidedConfig, providedConfig } from '@sluice/providers-app';
import { StepRollouts, stepRolloutsToken, type RolloutStore } from '@sluice/rollout';
import { fleetHandle, identityProvision, logOutputsToken, type FleetHandle } from '@sluice/contracts';
import { Registry, type Register, type Token } from '@sluice/registry';
import { provisionIdentity } from './identity.ts';
import { logEntries } from './logging/bus-sink.ts';
import { stopping, emitWorkerChange } from './events.ts';
import { reportProcessWarnings } from './logging/process-warnings.ts';
import type { ModuleSource } from './modules/module-source.ts';
import { dashboardFile } from './installation.ts';
import { registerModules } from './modules/register-modules.ts';
import { registerStandard } from './register-standard.ts';
import { discardUnused, gatherSockets, InheritedSockets, leaveAllSockets } from './process/shared-sockets.ts';
import { runShutdownSteps } from './process/shutdown-steps.ts';
import { maxStopTime, stopTraffic } from './stop-traffic.ts';
import { threadServices } from './thread-services.ts';
import { version } from './version.ts';
import { KeptSockets } from './process/kept-sockets.ts';
import { answerNativeCheck } from './process/native-check.ts';
import { shadowThreadToken } from '@sluice/http-analysis';
import { AdaptingPool } from './workers/adapting-pool.ts';
import { reportTests } from './test-cases/report-tests.ts';
import { ShadowRunner } from './workers/shadow-runner.ts';
import { TestRunners } from './workers/test-runner.ts';
import { spawnWorker } from './workers/spawn.ts';
import type { WorkerData } from './workers/worker-data.ts';
import type { WorkerReserve } from './workers/worker-reserve.ts';

/** Timeout of shutdown steps that don't wait for clients, in milliseconds. */
const stepTimeout = 3000;

export interface ControlOptions {
  /** Number of workers. 0 means that the control thread serves requests. */
  readonly workers: number;
  /** Worker threads that were started in advance. */
  readonly reserve: WorkerReserve;
  /** Third-party module packages. */
  readonly modules: readonly ModuleSource[];
  /**
   * Module registrations of a program that embeds the server. They require `workers: 0`, because worker threads cannot access these
   * modules.
   */
  readonly register?: readonly Register[];
  readonly store: ConfigStore | null;
  /** Store that preserves proposals across restarts. By default, proposals are kept in memory. */
  readonly proposals?: ProposalStore | null;
  /** Store that preserves the last gradual rollout across restarts. By default, it is kept in memory. */
  readonly rollouts?: RolloutStore | null;
  /** Log sink that is used until the configuration sets up logging. */
  readonly sink: LogSink;
  readonly logLevel: LogLevel;
  /** Address of the admin endpoint if the configuration specifies none. */
  readonly adminAddress: string;
  /** Called when an admin API client requests a shutdown. */
  readonly onStop: () => void;
  /** Called when an admin API client requests an upgrade. If not set, the upgrade route does not exist. */
  readonly onUpgrade?: () => Promise<number>;
  /** Configuration file that is reloaded when it changes, or `null` if files are not watched. */
  readonly watchedFile?: string | null;
  /** Configuration file specified at server startup, or `null` if there is none. */
  readonly configFile?: string | null;
  /** Filter for the findings of dry runs. By default, all findings are reported. */
  readonly notSuppressed?: KeepBack;
  /** Access to the fleet that the server may join. */
  readonly handle?: FleetHandle;
  readonly sockets?: SocketDescriptors;
}

/** A running server. */
export interface Control {
  readonly reconciler: Reconciler;
  /** Runtime of the control thread. If there are no workers, it also serves requests. */
  readonly runtime: Runtime;
  readonly events: EventHub;
  readonly workers: number;
  /** Returns the current address of the admin endpoint, or `null` if there is none. */
  adminAddress(): string | null;
  /** Resolves when the admin endpoint is listening. Resolves immediately if the active configuration has none. */
  ready(): Promise<void>;
  /** Returns the file descriptors of all listening sockets, keyed by listener. */
  sockets(): Promise<SocketDescriptors>;
  /** Rolls back a gradual rollout that is in progress. */
  endRollout(reason: string): Promise<void>;
  /** Closes inherited listening sockets that are not in use. */
  discardSockets(): void;
  /**
   * Stops accepting connections, because another process accepts them. Resolves when all clients have disconnected or after `timeout`
   * milliseconds.
   */
  leave(timeout: number): Promise<void>;
  /**
   * Shuts down gracefully. Stops accepting connections, waits for requests in flight for at most the app's grace period, then closes
   * everything else.
   */
  stop(): Promise<void>;
}

/** Starts the control plane and the workers without a configuration. */
export async function startControl(options: ControlOptions): Promise<Control> {
  const router = new LogRouter(options.sink);
  const log = createLogger(router);
  const endWarnings = reportProcessWarnings(router, log.named('process'));
  const workers = await possibleWorkers(options.workers, log);
  const memory = allocateSharedCells({ threads: workers + 1 });
  const cells = new SharedCells(memory, 0);
  const tallies = new TallyStore();
  const bus = new ControlBus(log);
  bus.onReport(logEntries, (entries) => {
    for (const entry of entries) if (router.enabled(entry.level, entry.logger)) router.write(entry);
  });
  serveTally(tallies, bus);
  const reusePort = workers > 1;
  const inherited = new InheritedSockets(options.sockets ?? [], workers);
  const routes = datagramRoutes(options.sockets ?? [], randomBytes(32));
  for (const { descriptor } of routes.inherited) closeOnExec(descriptor);
  const shared = { cells: memory, reusePort, routes, logLevel: options.logLevel, modules: options.modules };
  const kept = new KeptSockets(bus);
  answerNativeCheck(bus);
  const socketsOf = (thread: number): Pick<WorkerData, 'sockets' | 'keptSockets'> => {
    const orphans = kept.orphansOf(thread);
    if (orphans.length > 0) return { sockets: orphans, keptSockets: true };
    return { sockets: inherited.take(thread), keptSockets: false };
  };
  const pool =
    workers === 0
      ? null
      : new TrafficPool({
          size: workers,
          spawn: (thread) =>
            spawnWorker(
              atOriginalPriority(() => options.reserve.take()),
              { ...shared, thread, tally: tallies.slabsOf(thread), ...socketsOf(thread) },
              log,
            ),
          bus,
          log,
          exclusive: (task) => reconciler.exclusive(task),
          onExit: (thread, by) => {
            cells.reap(thread);
            tallies.reap(thread);
            kept.lost(thread, by);
          },
          onSilent: (thread, by) => kept.silent(thread, by),
          onReacts: (thread) => kept.reacts(thread),
          onChange: (change) => emitWorkerChange(events, change),
        });
  // Start the workers first. They load their code while this thread loads its own.
  pool?.start();
  const registry = new Registry();
  try {
    registerStandard(registry);
    for (const error of await registerModules(registry, options.modules))
      log.warn('skipped a module package', { error: messageOf(error), ...codeField(error) });
    for (const register of options.register ?? []) registry.use(register);
  } catch (error) {
    await pool?.stop(1);
    throw error;
  }
  const sockets = new ListenSockets(inherited.take(0));
  const admin = { defaultAddress: options.adminAddress, sockets };
  const endpoint = new AdminEndpoint({ ...admin, log: log.named('admin') });
  const remote = new AdminEndpoint({ ...admin, log: log.named('admin.remote') });
  const puller = new ConfigPuller(log.named('admin'));
  const provided = new ProvidedConfig(log.named('providers'));
  const rollouts = new StepRollouts(log.named('rollout'), options.rollouts ?? null);
  const samples = new RequestSamples(bus);
  const sampleFile = new SampleFile(samples, log.named('admin'));
  const configureSamples = (settings: SampleSettings): void => {
    samples.configure(settings);
    void sampleFile.configure(settings.persist);
  };
  const handle = options.handle ?? { membership: null, view: null };
  const tail = new LogTail();
  // Modules of an embedding program are available only in the program's own thread.
  const { modules, register = [] } = options;
  const adminLog = log.named('admin');
  const adapting = register.length > 0 ? null : new AdaptingPool(modules, adminLog);
  const shadow = register.length > 0 ? null : new ShadowRunner(modules, adminLog);
  const tests = register.length > 0 ? null : new TestRunners(modules, adminLog);
  registry.hooks.server.tap('tests', (server) => reportTests(server, tests));
  const services = new Map([
    [fleetHandle, handle],
    [stepRolloutsToken, rollouts],
    ...(adapting === null ? [] : [[adaptingThread, adapting] as const]),
    ...(shadow === null ? [] : [[shadowThreadToken, shadow] as const]),
    [liveRequestsToken, new LiveRequests(bus)],
    ...threadServices({
      bus,
      cells,
      tally: workers === 0 ? tallies.slabsOf(0) : null,
      router,
      log,
      reusePort: false,
      sockets,
      routes,
    }),
    [tallyStoreToken, tallies],
    [requestTracesToken, new RequestTraces(bus)],
    [quicLogStoreToken, new QuicLogStore(bus)],
    [requestSamplesToken, samples],
    [sampleSettingsToken, configureSamples],
    [adminEndpoint, endpoint],
    [remoteEndpoint, remote],
    [configPuller, puller],
    [providedConfig, provided],
    [identityProvision, provisionIdentity],
    [logTailToken, tail],
    [logOutputsToken, new OpenOutputs({ bus, log: log.named('logging'), tail })],
  ] as [Token<unknown>, unknown][]);
  const endRecord = recordFaults({ log, router, metrics: services.get(metricsToken) as Metrics });
  const runtime = new Runtime({
    registry,
    roles: { control: true, traffic: workers === 0 },
    log,
    services,
    ...(options.notSuppressed === undefined ? {} : { notSuppressed: options.notSuppressed }),
  });
  const reconciler = new Reconciler({
    registry,
    runtime,
    threads: pool ?? noThreads,
    store: options.store,
    log,
    view: (document) => handle.view?.(document) ?? document,
    layer: provided.layer,
  });
  puller.serve(reconciler);
  rollouts.serve(reconciler);
  provided.serve(reconciler);
  const metrics = runtime.service(metricsToken) as Metrics;
  const events = runtime.service(eventHubToken) as EventHub;
  // Load the admin code while the workers prepare the first configuration, if that configuration has an admin endpoint.
  serveAdmin({
    reconciler,
    endpoint,
    remote,
    log: log.named('admin'),
    version,
    pageFile: dashboardFile,
    reportSigner: new ReportKey(),
    ...(options.proposals == null ? {} : { proposalStore: options.proposals }),
    metrics,
    onStop: options.onStop,
    watchedFile: options.watchedFile ?? null,
    configFile: options.configFile ?? null,
    ...(options.onUpgrade === undefined ? {} : { onUpgrade: options.onUpgrade }),
  });
  const stop = async (): Promise<void> => {
    const timeout = maxStopTime(runtime);
    let traffic: Promise<void> | null = null;
    const endTraffic = (): Promise<void> => (traffic ??= pool === null ? stopTraffic(runtime) : pool.stop(timeout));
    const keepChangesOut = (): Promise<void> => {
      const { promise: quiet, resolve } = Promise.withResolvers<void>();
      const out = reconciler.exclusive(() => (resolve(), endTraffic()));
      // Prevent an unhandled rejection. The step that awaits this promise reports the error.
      out.catch(() => undefined);
      return quiet;
    };
    await runShutdownSteps(
      [
        { name: 'stop pulling configurations', timeout: stepTimeout, run: () => puller.close() },
        { name: 'notify event handlers', timeout: stepTimeout, run: () => events.emitDeclared(stopping, {}) },
        { name: 'roll back a rollout', timeout: stepTimeout, run: () => rollouts.close('the server is stopping') },
        { name: 'stop tests', timeout: stepTimeout, run: async () => tests?.close() },
        { name: 'wait for the change in progress', timeout: stepTimeout, run: keepChangesOut },
        { name: 'finish requests', timeout: timeout + stepTimeout, run: endTraffic },
        { name: 'save recorded requests', timeout: stepTimeout, run: () => sampleFile.close() },
        { name: 'unload the configuration', timeout: 2 * stepTimeout, run: () => reconciler.close(stepTimeout) },
        { name: 'save the state of providers', timeout: stepTimeout, run: () => provided.close() },
        { name: 'end event streams', timeout: stepTimeout, run: () => events.close() },
        { name: 'close the admin endpoint', timeout: stepTimeout, run: () => closeAll(endpoint, remote) },
        { name: 'stop the adapter thread', timeout: stepTimeout, run: async () => adapting?.close() },
        { name: 'stop the shadow thread', timeout: stepTimeout, run: async () => shadow?.close() },
      ],
      log,
    );
    endWarnings();
    endRecord();
  };
  return {
    reconciler,
    runtime,
    events,
    workers,
    adminAddress: () => endpoint.address,
    ready: () => endpoint.ready(),
    sockets: () => gatherSockets(bus),
    discardSockets: () => discardUnused(bus),
    endRollout: (reason) => rollouts.close(reason),
    leave: async (timeout) => {
      endpoint.leave();
      remote.leave();
      await leaveAllSockets(bus, timeout);
    },
    stop,
  };
}

async function closeAll(...endpoints: readonly AdminEndpoint[]): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => endpoint.close()));
}

/** Returns the number of workers that the platform supports. If ports cannot be shared, only a single worker is possible. */
async function possibleWorkers(wanted: number, log: Logger): Promise<number> {
  if (wanted <= 1 || (await canReusePort())) return wanted;
  log.warn('system does not support port sharing between threads; using a single worker', { wanted });
  return 1;
}
