/** The runtime of one thread: the current generation of modules, and the two phases of its replacement. */
import {
  runChecks,
  type AppLookup,
  type AppToken,
  type Finding,
  type RehearsedChange,
  type Registry,
  type Roles,
  type Token,
} from '@sluice/registry';
import { messageOf, readableError, type Json, SluiceError, type Logger } from '@sluice/base';
import { Build } from './build.ts';
import type { BuildHost, Units } from './build-start.ts';
import type { Component } from './component.ts';
import { EpochTracker } from './epochs.ts';
import { Linter } from './linter.ts';
import { compareModules } from './compare-modules.ts';
import { reportedOf, reportOf, type BuildReport, type ReportedModule, type ToldByPackage } from './report.ts';
import { Retirement } from './retirement.ts';

/** Gives the findings that users have not said to keep back. */
export type KeepBack = (findings: readonly Finding[]) => Promise<readonly Finding[]>;

/** What a runtime is made of. */
export interface RuntimeOptions {
  readonly registry: Registry;
  readonly roles: Roles;
  readonly log: Logger;
  /** Services of the thread that modules reach with `context.use`. */
  readonly services?: ReadonlyMap<Token<unknown>, unknown>;
  /** Check options against their schemas. Default: in the control role. */
  readonly check?: boolean;
  /** How long the provision or start of a module may wait for anything but other modules, in milliseconds. Default: 30 s. */
  readonly provisionTimeout?: number;
  /** Asked what rehearsals are to tell of what they have found, beside what comments of files keep back. Default: all. */
  readonly notSuppressed?: KeepBack;
}

/** A built configuration that waits for its commit or abort. */
export interface Candidate {
  readonly build: Build;
  /** How long it took to build, in milliseconds. */
  readonly took: number;
}

/** How a configuration is tried out. */
export interface RehearsalOptions {
  /** How many of the modules that are kept are listed. Default: all. */
  readonly mostKept?: number | undefined;
  readonly during?: Rehearsing;
}

/** Looks at what was built before it is dropped. */
export type Rehearsing = (built: Pick<RehearsedChange, 'apps' | 'tell'>) => Promise<void>;

/** Holds what is provisioned, and replaces it by difference. One transition at a time; the caller sees to it. */
export class Runtime {
  readonly epochs = new EpochTracker();
  readonly #host: BuildHost;
  readonly #linter = new Linter();
  readonly #retirement: Retirement;
  #units: Units = new Map();
  #config: Json = null;
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
      options.log.error('failed to dispose of a dropped module', { error }),
    );
  }

  /** The document that is in force. */
  get config(): Json {
    return this.#config;
  }

  /** How many dropped resources wait for a request to end. */
  get retiring(): number {
    return this.#retirement.waiting;
  }

  /** The instance of an app or section that is in force, or `null`. */
  app<T>(token: AppToken<T>): T | null {
    return appOf(this.#units, token);
  }

  /** A service of this thread; `undefined` if it has none of this token. */
  service<T>(token: Token<T>): T | undefined {
    return this.#host.services.get(token) as T | undefined;
  }

  /** First phase: builds and binds what `config` needs and is not there yet, or everything if forced. On failure nothing remains. */
  async prepare(config: Json, force = false): Promise<Candidate> {
    return this.#prepare(config, this.#host, force);
  }

  /** The modules that a candidate has and what is in force has not. */
  made({ build }: Candidate): readonly ReportedModule[] {
    return reportedOf(compareModules(this.#units, build.units, build.since, 0).made);
  }

  /** Between the phases: the delay that dropped parts ask for, such as `shutdown_delay`. They serve meanwhile. Never rejects. */
  leave({ build }: Candidate): Promise<void> {
    return build.leave();
  }

  /** Second phase: swaps, without waiting, and retires what was dropped in the background. */
  commit({ build }: Candidate): void {
    const until = this.epochs.advance();
    const { config, units, dropped } = build.commit();
    this.#units = units;
    this.#config = config;
    this.#retirement.add(dropped, until);
  }

  /** Instead of the commit: releases everything that the candidate made. */
  abort({ build }: Candidate): Promise<void> {
    return build.abort();
  }

  /**
   * Checks and builds a configuration in no role, so that nothing is bound or opened; tells what would be kept and made,
   * and what loads in it but cannot work.
   */
  async rehearse(config: Json, options: RehearsalOptions = {}): Promise<BuildReport> {
    const { mostKept = Number.POSITIVE_INFINITY, during } = options;
    const told = new Map<string, ToldByPackage>();
    return this.tryOut(config, async ({ build }) => {
      await during?.({
        apps: appsOf(build.units),
        tell: (name, value, right) => void told.set(name, { value, right }),
      });
      const { registry, log } = this.#host;
      const modules = compareModules(this.#units, build.units, build.since, mostKept);
      const warnings = await runChecks(registry.checks(), modules.made, config, log);
      const found = await this.#linter.newIn(config, this.#config, this.#host);
      const all = [...warnings, ...found];
      return { ...reportOf(modules), warnings: (await this.#notSuppressed?.(all)) ?? all, told };
    });
  }

  /** Builds a configuration in no role, and drops it when it was looked at. */
  async tryOut<T>(config: Json, look: (candidate: Candidate) => Promise<T>): Promise<T> {
    const host: BuildHost = { ...this.#host, roles: { control: false, traffic: false }, check: true };
    const candidate = await this.#prepare(config, host, false);
    try {
      return await look(candidate);
    } finally {
      await this.abort(candidate);
    }
  }

  /** Drops the whole configuration and disposes of everything, also of what requests still use. */
  async close(): Promise<void> {
    const until = this.epochs.advance();
    const all: Component[] = [...this.#units.values()];
    this.#units = new Map();
    this.#config = null;
    this.#retirement.add(all, until);
    await this.#retirement.flush();
  }

  /** Resolves when the disposers that could run so far have ended. */
  settled(): Promise<void> {
    return this.#retirement.settled();
  }

  async #prepare(config: Json, host: BuildHost, force: boolean): Promise<Candidate> {
    const build = new Build(host, {
      config,
      previous: this.#units,
      force,
      since: this.epochs.current.number + 1,
    });
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

/** The apps of a build. */
export function appsOf(units: Units): AppLookup {
  return { app: (token) => appOf(units, token) };
}

function appOf<T>(units: Units, { name }: AppToken<T>): T | null {
  const unit = units.get(`apps/${name}`) ?? units.get(name);
  return (unit?.instance ?? null) as T | null;
}

/** The epochs of the thread; the server app counts its requests there. */
export const epochsToken: Token<EpochTracker> = Object.freeze({ name: 'epochs' });
