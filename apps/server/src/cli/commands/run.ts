/** `sluice run`: a server in the foreground, until a signal or a request ends it. */
import { availableParallelism } from 'node:os';
import { configDirectory, createLogger, messageOf, type Engine, type Json, type Logger } from '@sluice/registry';
import { startControl } from '../../control.ts';
import { standardError, TerminalSink } from '../../logging/terminal-sink.ts';
import { findModules, sourceOf } from '../../modules/find-modules.ts';
import { FileStore } from '../../persistence/file-store.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { writePidFile } from '../../process/pid-file.ts';
import { handleSignals } from '../../process/signals.ts';
import { watchFile } from '../../process/watch-file.ts';
import { defaultAdminAddress } from '../admin-client.ts';
import { failure } from '../failure.ts';
import { readConfig } from '../read-config.ts';
import { standardRegistry } from '../standard-registry.ts';
import { printEnvironment } from './environ.ts';

/** Options of `run` and `start`. */
export interface RunOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly resume?: boolean;
  readonly watch?: boolean;
  readonly workers?: number;
  readonly module?: readonly string[];
  readonly envfile?: readonly string[];
  readonly pidfile?: string;
  readonly environ?: boolean;
}

/** Runs a server; resolves with the exit code when it has ended. */
export async function run(options: RunOptions): Promise<number> {
  const sink = new TerminalSink(standardError());
  const log = createLogger(sink);
  process.on('uncaughtExceptionMonitor', (error) => log.error('the control thread failed', { error, stack: error.stack }));
  if (options.pidfile !== undefined) writePidFile(options.pidfile, log);
  try {
    loadEnvFiles(options.envfile ?? []);
    if (options.environ === true) printEnvironment();
    return await serve(options, sink, log);
  } catch (error) {
    log.error(messageOf(error));
    return failure;
  }
}

async function serve(options: RunOptions, sink: TerminalSink, log: Logger): Promise<number> {
  const folder = configDirectory();
  const store = new FileStore({ folder, log: log.named('autosave') });
  const modules = findModules({ named: options.module ?? [], cwd: process.cwd(), configuration: folder }).map(sourceOf);
  const file = new ConfigFile(options, log);
  const { document, origin } = await initialDocument(options, store, file, log);
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  const control = await startControl({
    workers: options.workers ?? availableParallelism(),
    modules,
    store,
    log,
    sink,
    logLevel: 'info',
    adminAddress: defaultAdminAddress(),
    onStop: () => end(0),
  });
  file.follow(control.engine);
  const stopSignals = handleSignals({ stop: () => end(0), exit: (code) => process.exit(code), reload: () => void file.reloadUnchanged() }, log);
  const watching = new AbortController();
  // A server without endpoint and listeners runs, too.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    await control.engine.load(document, { origin, force: true });
    log.info('serving', { workers: control.workers, pid: process.pid });
    if (options.watch === true && options.config !== undefined && options.config !== '-') {
      void watchFile(options.config, () => file.reload('the configuration file has changed'), log, watching.signal);
    }
    process.send?.('serving');
    return await ended;
  } finally {
    watching.abort();
    clearInterval(alive);
    await control.stop();
    stopSignals();
  }
}

/** What to serve first: the saved configuration if asked for and there, else the file's, else none. */
async function initialDocument(options: RunOptions, store: FileStore, file: ConfigFile, log: Logger): Promise<{ document: Json; origin: string }> {
  if (options.resume === true) {
    const saved = await store.resume();
    if (saved !== null) {
      for (const warning of saved.warnings) log.warn(warning);
      if (options.config !== undefined) log.warn('the saved configuration is used, and not the file', { file: options.config });
      return { document: saved.document, origin: 'resume' };
    }
    log.info('no configuration was saved yet');
  }
  return { document: options.config === undefined ? null : await file.read(), origin: 'file' };
}

/** The configuration file of the command line. */
class ConfigFile {
  readonly #options: RunOptions;
  readonly #log: Logger;
  #engine: Engine | null = null;
  /** Whether the configuration in force is the file's, and not one that a client has changed since. */
  #inForce = false;

  constructor(options: RunOptions, log: Logger) {
    this.#options = options;
    this.#log = log;
  }

  /** Sets the engine that the file is loaded into. */
  follow(engine: Engine): void {
    this.#engine = engine;
    engine.onApplied(({ origin }) => {
      this.#inForce = origin === 'file';
    });
  }

  async read(): Promise<Json> {
    const { config = '', adapter, module } = this.#options;
    const { document, warnings } = await readConfig({ file: config, adapter }, () => standardRegistry(module));
    for (const { message, line } of warnings) this.#log.warn(message, { file: config, line });
    return document;
  }

  /** Loads the file again; what is in force stays if that fails. */
  async reload(reason: string): Promise<void> {
    const file = this.#options.config;
    this.#log.info(`${reason}; loading it again`, { file });
    try {
      await this.#engine?.load(await this.read(), { origin: 'file' });
      this.#log.info('the configuration file was loaded again', { file });
    } catch (error) {
      this.#log.error('the configuration file could not be loaded; the one before stays in force', { file, error });
    }
  }

  /** On a signal: loads the file again unless a client has changed the configuration, which would be lost. */
  async reloadUnchanged(): Promise<void> {
    if (this.#inForce && this.#options.config !== '-') await this.reload('asked by a signal');
    else this.#log.info('asked by a signal to load the configuration file again, but what is in force does not come from a file');
  }
}
