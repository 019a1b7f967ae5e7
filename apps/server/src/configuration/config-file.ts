/** Loads and reloads the configuration file that was given on the command line. */
import { isSluiceError, messageOf, SluiceError, type Json, type Logger } from '@sluice/base';
import type { DocumentSources, Reconciler } from '@sluice/reconciler';
import type { Finding } from '@sluice/registry';
import type { FileStore } from '../persistence/file-store.ts';
import type { Saved } from '../persistence/resume.ts';
import type { ServeOptions } from '../run-options.ts';
import type { HandedConfig } from '../process/handover.ts';
import { WatchedFiles } from '../process/watched-files.ts';
import { readIntended } from './read-config.ts';
import { standardRegistry } from './standard-registry.ts';

/** Origins of changes that load the configuration file: startup, a signal, a file change, and `sluice reload`. */
const fromFile: ReadonlySet<string> = new Set(['file', 'signal', 'watch', 'reload']);

/** Initial configuration with its origin, `resume` or `file`. */
export interface InitialConfig {
  readonly document: Json;
  readonly sources: DocumentSources | null;
  readonly origin: string;
}

type FileContent = Pick<InitialConfig, 'document' | 'sources'>;

const nothing: FileContent = { document: null, sources: null };

/** The configuration file from the command line. It is read at startup, and reloaded on request. */
export class ConfigFile {
  /** The configuration file and all files that it imports. */
  readonly files: WatchedFiles = new WatchedFiles();
  readonly #options: ServeOptions;
  readonly #log: Logger;
  #reconciler: Reconciler | null = null;
  /** True if the active configuration comes from the file, and no client has changed it since. */
  #inForce = false;

  constructor(options: ServeOptions, log: Logger) {
    this.#options = options;
    this.#log = log;
  }

  /**
   * Returns the initial configuration from the first available source. The order is: the previous process, the command itself, the saved
   * configuration (if requested), the file.
   */
  async initial(store: FileStore | null, handed: HandedConfig | null): Promise<InitialConfig> {
    if (handed !== null)
      return { document: handed.document, sources: null, origin: handed.fromFile ? 'file' : 'upgrade' };
    const { resume, config, document } = this.#options;
    if (document !== undefined) return { document, sources: null, origin: 'command' };
    if (resume === true && store !== null) {
      const saved = await this.#resume(store, config);
      if (saved === 'damaged') {
        const read = config === undefined ? nothing : await this.#begin(config);
        return { ...read, origin: 'file' };
      }
      if (saved !== null) {
        for (const warning of saved.warnings) this.#log.warn(warning);
        if (config !== undefined) this.#log.warn('using the saved configuration instead of the file', { file: config });
        return { document: saved.document, sources: null, origin: 'resume' };
      }
      this.#log.info('no saved configuration found');
    }
    const read = config === undefined ? nothing : await this.#begin(config);
    return { ...read, origin: 'file' };
  }

  /**
   * Reads the saved configuration. A corrupted file is renamed, so that it is not overwritten. The server then starts with the last
   * document in the history, or else with the configuration file. If both are missing, startup fails.
   */
  async #resume(store: FileStore, config: string | undefined): Promise<Saved | null | 'damaged'> {
    try {
      return await store.resume();
    } catch (error) {
      const { history } = store;
      const past = history?.isWhole === true ? (history.past?.document ?? null) : null;
      if (past === null && config === undefined) throw withWayOut(error);
      const kept = await store.setAside();
      const source = past === null ? 'the configuration file' : 'the last configuration in the history';
      this.#log.error(`saved configuration is unreadable; renamed it, starting with ${source}`, {
        error: messageOf(error),
        kept: kept.join(', '),
      });
      return past === null ? 'damaged' : { document: past, warnings: [] };
    }
  }

  /** Active configuration, to be handed over to the successor process. */
  get handed(): HandedConfig {
    return { document: this.#reconciler?.document ?? null, fromFile: this.#inForce };
  }

  /** Sets the reconciler into which the configuration file is loaded. */
  follow(reconciler: Reconciler): void {
    this.#reconciler = reconciler;
    reconciler.hooks.committed.tap('config file', ({ origin }) => {
      this.#inForce = fromFile.has(origin);
    });
  }

  /** Removes the findings that `sluice-lint.json` next to the configuration file suppresses. Called for dry runs. */
  async notSuppressed(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const { config } = this.#options;
    if (config === undefined) return findings;
    const { notSuppressedBeside } = await import('./suppressions.ts');
    try {
      return notSuppressedBeside(findings, config);
    } catch (error) {
      this.#log.warn('failed to read lint suppressions; reporting all findings', { error: messageOf(error) });
      return findings;
    }
  }

  /** Reloads the configuration file. If that fails, the active configuration remains. `origin` is `watch` or `signal`. */
  async reload(reason: string, origin: string): Promise<void> {
    const { config: file = '' } = this.#options;
    this.#log.info(`${reason}; reloading`, { file });
    try {
      const { document, sources } = await this.#read(file);
      await this.#reconciler?.load(document, { origin, sources });
      this.#log.info('reloaded configuration file', { file });
    } catch (error) {
      this.#log.error('failed to load the configuration file; the previous configuration stays in effect', {
        file,
        error,
      });
    }
  }

  /** Reloads the configuration file on a signal. Does nothing if a client has changed the configuration, because the change would be lost. */
  async reloadUnchanged(): Promise<void> {
    const { config } = this.#options;
    if (this.#inForce && config !== undefined && config !== '-') await this.reload('received reload signal', 'signal');
    else this.#log.info('ignored reload signal: the current configuration was not loaded from a file');
  }

  /** Loads the configuration file at startup. At startup, unlike on reload, an empty file is valid: the server waits for a configuration. */
  async #begin(file: string): Promise<FileContent> {
    try {
      return await this.#read(file);
    } catch (error) {
      if (!isSluiceError(error) || error.code !== 'ERR_CONFIG_EMPTY') throw error;
      this.#log.warn('configuration file is empty; waiting for a configuration from the admin API', {
        file,
      });
      return nothing;
    }
  }

  async #read(file: string): Promise<FileContent> {
    const { adapter, module } = this.#options;
    this.files.clear();
    const source = { file, adapter, reads: (name: string) => this.files.note(name) };
    const { document, sources, warnings } = await readIntended(source, () => standardRegistry(module));
    // Log the warning's own file name, because the warning may concern an imported file.
    for (const warning of warnings) this.#log.warn(warning.message, { file: warning.file || file, line: warning.line });
    return { document, sources };
  }
}

function withWayOut(error: unknown): SluiceError {
  const message = `${messageOf(error)}; restore or remove the file, or start with --config`;
  return new SluiceError('ERR_RESUME', message, { cause: error });
}
