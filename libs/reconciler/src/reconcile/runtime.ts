/** Runtime of one thread, which contains the current generation of modules and replaces it in two phases. */
import {
  runChecks,
  type AppLookup,
  type AppToken,
  type CanarySettings,
  type Finding,
  type RehearsedChange,
  type Registry,
  type Roles,
  type Token,
} from '@sluice/registry';
import { messageOf, readableError, type Json, SluiceError, type Logger } from '@sluice/base';
import { Build } from './build.ts';
import type { BuildHost, BuildStart, StartedCanary, Units } from './build-start.ts';
import type { Component } from './component.ts';
import { EpochTracker } from './epochs.ts';
import { Linter } from './linter.ts';
import { compareModules } from './compare-modules.ts';
import {
  reportedOf,
  reportOf,
  type BuildReport,
  type ReportedModule,
  type PackageReport,
  type LaterReport,
} from './report.ts';
import { Retirement } from './retirement.ts';

/** Removes the findings that users have suppressed. */
export type KeepBack = (findings: readonly Finding[]) => Promise<readonly Finding[]>;

export interface RuntimeOptions {
  readonly registry: Registry;
  readonly roles: Roles;
  readonly log: Logger;
  /** Services of the thread. Modules access them with `context.use`. */
  readonly services?: ReadonlyMap<Token<unknown>, unknown>;
  /** True to validate options. Default: true in the control role. */
  readonly check?: boolean;
  /** Timeout for provisioning or starting a module, in milliseconds. It excludes time spent waiting for other modules. Default: 30 s. */
  readonly provisionTimeout?: number;
  /** Removes the dry-run findings that suppression comments cover. Default: all findings are reported. */
  readonly notSuppressed?: KeepBack;
}

/** A configuration that has been built, but not yet committed or aborted. */
export interface Candidate {
  readonly build: Build;
  readonly took: number;
}

/** A canary to start together with a commit. */
export interface NextCanary {
  readonly candidate: Candidate;
  readonly settings: CanarySettings;
}

/** Options of a dry run. */
export interface RehearsalOptions {
  /** Maximum number of unchanged modules to list. Default: all. */
  readonly maxKept?: number | undefined;
  readonly during?: Rehearsing;
}

/** Inspects the built configuration before it is disposed of. */
export type Rehearsing = (built: Pick<RehearsedChange, 'apps' | 'report' | 'reportLater'>) => Promise<void>;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Contains the provisioned modules and replaces them incrementally. The caller must not run transitions concurrently. */
export class Runtime {
  readonly epochs = new EpochTracker();
  readonly #host: BuildHost;
  readonly #linter = new Linter();
  readonly #retirement: Retirement;
  #units: Units = new Map();
  #config: Json = null;
  #canary: StartedCanary | null = null;
  /** Settings of the current or last canary. If another canary of the same rollout replaces this canary, the settings carry over. */
  #traffic: Mutable<CanarySettings> | null = null;
  readonly #notSuppressed: KeepBack | null;

  constructor(options: RuntimeOptions) {
    this.#notSuppressed = options.notSuppressed ?? null;
    this.#host = {
      registry: options.registry,
      roles: options.roles,
      log: options.log,
      services: new Map([...(options.services ?? []), [epochsToken as Token<unknown>, this.epochs]]),
      check: options.check ?? options.roles.control,
      provisionTimeout: options.provisionTimeout ?? 30_000,
    };
    this.#retirement = new Retirement(this.epochs, (error) =>
      options.log.error('failed to release the resources of a removed module', { error }),
    );
  }

  /** The active document. */
  get config(): Json {
    return this.#config;
  }

  /** Number of dropped resources that are waiting for active requests. */
  get retiring(): number {
    return this.#retirement.waiting;
  }

  app<T>(token: AppToken<T>): T | null {
    return appOf(this.#units, token);
  }

  service<T>(token: Token<T>): T | undefined {
    return this.#host.services.get(token) as T | undefined;
  }

  /**
   * First phase: builds the missing parts of `config` and binds addresses. Rebuilds all parts if `force` is true. On failure, everything
   * that was created is released.
   */
  async prepare(config: Json, force = false): Promise<Candidate> {
    return this.#prepare(config, this.#host, { force });
  }

  /** Builds a canary that shares the components of a candidate. The canary must be aborted before the candidate. */
  async prepareCanary(config: Json, { build }: Candidate): Promise<Candidate> {
    return this.#prepare(config, this.#host, { previous: build.units, isCanary: true });
  }

  /** Returns the candidate's modules that are not active yet. */
  made({ build }: Candidate): readonly ReportedModule[] {
    return reportedOf(compareModules(this.#units, build.units, build.since, 0).made);
  }

  appsOf({ build }: Candidate): AppLookup {
    return appsOf(build.units);
  }

  /**
   * Runs between the two phases. Waits for the delays of dropped components, such as `shutdown_delay`. The dropped components continue to
   * serve requests in the meantime. Never rejects.
   */
  leave({ build }: Candidate): Promise<void> {
    return build.leave();
  }

  /**
   * Second phase: activates the candidate synchronously, and retires dropped components in the background. Ends the current canary and
   * starts the next one.
   */
  commit({ build }: Candidate, canary: NextCanary | null = null): void {
    const until = this.epochs.advance();
    const last = this.#endCanary();
    const { config, units, dropped } = build.commit();
    this.#units = units;
    this.#config = config;
    if (canary !== null) this.#canary = canary.candidate.build.startCanary(this.#trafficOf(canary.settings));
    this.#retirement.add(last, until, 'withdrawn');
    this.#retirement.add(dropped, until);
  }

  /** Immediately changes the share of clients that a rollout's canary serves. */
  shareCanary(id: string, share: number): void {
    if (this.#traffic?.id === id) this.#traffic.share = share;
  }

  /** Releases everything that the candidate created. Called instead of the commit. */
  abort({ build }: Candidate): Promise<void> {
    return build.abort();
  }

  /**
   * Validates and builds a configuration without assigning a thread role, so no sockets are bound and no files are opened. Reports which
   * modules are kept or created, and the findings of the checks.
   */
  async rehearse(config: Json, options: RehearsalOptions = {}): Promise<BuildReport> {
    const { maxKept = Number.POSITIVE_INFINITY, during } = options;
    const reported = new Map<string, PackageReport>();
    const later = new Map<string, LaterReport>();
    return this.tryOut(config, async ({ build }) => {
      await during?.({
        apps: appsOf(build.units),
        report: (name, value, right) => void reported.set(name, { value, right }),
        reportLater: (name, compute, right) => void later.set(name, { compute, right }),
      });
      const { registry, log } = this.#host;
      const modules = compareModules(this.#units, build.units, build.since, maxKept);
      const warnings = await runChecks(registry.checks(), modules.made, config, log);
      const found = await this.#linter.newIn(config, this.#config, this.#host);
      const all = [...warnings, ...found];
      return { ...reportOf(modules), warnings: (await this.#notSuppressed?.(all)) ?? all, reported, later };
    });
  }

  /** Builds a configuration without assigning a thread role, passes it to `look`, and disposes of it afterwards. */
  async tryOut<T>(config: Json, look: (candidate: Candidate) => Promise<T>): Promise<T> {
    const host: BuildHost = { ...this.#host, roles: { control: false, traffic: false }, check: true };
    const candidate = await this.#prepare(config, host);
    try {
      return await look(candidate);
    } finally {
      await this.abort(candidate);
    }
  }

  /** Drops the entire configuration and disposes of everything, even if active requests use it. */
  async close(): Promise<void> {
    const until = this.epochs.advance();
    const all: Component[] = [...this.#units.values()];
    const canary = this.#endCanary();
    this.#units = new Map();
    this.#config = null;
    this.#retirement.add(canary, until);
    this.#retirement.add(all, until);
    await this.#retirement.flush();
  }

  /** Resolves when all disposers that were ready to run have completed. */
  settled(): Promise<void> {
    return this.#retirement.settled();
  }

  /** Stops requests from reaching the canary, and returns its components. */
  #endCanary(): readonly Component[] {
    const canary = this.#canary;
    if (canary === null) return [];
    this.#canary = null;
    for (const end of canary.ends) end();
    return canary.made;
  }

  /** Returns the settings of the next canary. If it replaces a canary of the same rollout, it continues with the current share. */
  #trafficOf(settings: CanarySettings): CanarySettings {
    if (this.#traffic?.id !== settings.id) this.#traffic = { ...settings };
    return this.#traffic;
  }

  async #prepare(
    config: Json,
    host: BuildHost,
    { previous = this.#units, force = false, isCanary = false }: Partial<BuildStart> = {},
  ): Promise<Candidate> {
    const since = this.epochs.current.number + 1;
    const build = new Build(host, { config, previous, force, since, isCanary });
    const began = performance.now();
    try {
      await build.run();
    } catch (error) {
      await build.abort();
      const readable = readableError(error);
      throw readable instanceof Error ? readable : new SluiceError('ERR_PROVISION', messageOf(readable));
    }
    return { build, took: performance.now() - began };
  }
}

export function appsOf(units: Units): AppLookup {
  return { app: (token) => appOf(units, token) };
}

function appOf<T>(units: Units, { name }: AppToken<T>): T | null {
  const unit = units.get(`apps/${name}`) ?? units.get(name);
  return (unit?.instance ?? null) as T | null;
}

/** Epochs of the thread. Apps that serve requests count the requests in these epochs. */
export const epochsToken: Token<EpochTracker> = Object.freeze({ name: 'epochs' });
