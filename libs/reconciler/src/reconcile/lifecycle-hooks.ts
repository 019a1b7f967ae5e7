/**
 * Hooks of one build, which run at start, at commit, and before modules are dropped.
 *
 * Errors contain the module and its path. Before the commit, an error rejects the change. After the commit, errors are logged, because
 * other threads may already have activated the change.
 */
import { located, readableError, type Logger } from '@sluice/base';
import { blame, type CanaryTraffic, type Registry } from '@sluice/registry';
import type { PlacedHook } from './component.ts';
import type { PendingWork } from './pending-work.ts';

/** Runs the hooks of one build. */
export class LifecycleHooks {
  readonly #registry: Registry;
  readonly #log: Logger;
  readonly #pending: PendingWork;
  #start: PlacedHook<void | Promise<void>>[] = [];
  #commit: PlacedHook<void>[] = [];
  #takeOver: PlacedHook<void>[] = [];
  #canary: PlacedHook<() => void, [CanaryTraffic]>[] = [];

  constructor({ registry, log }: { readonly registry: Registry; readonly log: Logger }, pending: PendingWork) {
    this.#registry = registry;
    this.#log = log;
    this.#pending = pending;
  }

  /** Adds a hook that runs after everything is provisioned. */
  onStart(hook: PlacedHook<void | Promise<void>>): void {
    this.#start.push(hook);
  }

  onCommit(hook: PlacedHook<void>): void {
    this.#commit.push(hook);
  }

  onTakeOver(hook: PlacedHook<void>): void {
    this.#takeOver.push(hook);
  }

  onCanary(hook: PlacedHook<() => void, [CanaryTraffic]>): void {
    this.#canary.push(hook);
  }

  async start(): Promise<void> {
    for (const { run, moduleId, where } of this.#start) {
      try {
        const started = run();
        if (started !== undefined)
          await this.#pending.within(started, () => this.#pending.lateError('start', moduleId));
      } catch (error) {
        throw located(this.blamed(error, moduleId), where);
      }
    }
  }

  commit(): void {
    for (const hook of this.#commit) this.#guarded(hook, () => hook.run());
    for (const hook of this.#takeOver) this.#guarded(hook, () => hook.run());
  }

  /** Runs the hooks that start a canary. Returns functions that end it. Never throws. */
  startCanary(traffic: CanaryTraffic): readonly (() => void)[] {
    for (const hook of this.#commit) this.#guarded(hook, () => hook.run());
    const ends: (() => void)[] = [];
    for (const hook of this.#canary)
      this.#guarded(hook, () => {
        const end = hook.run(traffic);
        ends.push(() => this.#guarded(hook, end));
      });
    return ends;
  }

  #guarded({ moduleId, where }: Pick<PlacedHook<unknown>, 'moduleId' | 'where'>, run: () => void): void {
    try {
      run();
    } catch (thrown) {
      const error = this.blamed(thrown, moduleId);
      this.#log.error('part of the configuration failed to start; the rest is in effect', { where, error });
    }
  }

  /** Releases the start and activation hooks, which have run or will never run. */
  release(): void {
    this.#start = [];
    this.#commit = [];
    this.#takeOver = [];
    this.#canary = [];
  }

  /** Runs the leave hooks of components that will be dropped, in parallel. Never rejects. */
  async leave(hooks: readonly PlacedHook<Promise<void>>[]): Promise<void> {
    await Promise.all(hooks.map((hook) => this.#leaveOne(hook)));
  }

  async #leaveOne({ run, where, moduleId }: PlacedHook<Promise<void>>): Promise<void> {
    try {
      await this.#pending.within(run(), () => {
        // Log the module while the wait continues, because delays such as `shutdown_delay` may be long.
        this.#log.warn('still waiting for a removed module to shut down', { module: moduleId, where });
        return null;
      });
    } catch (thrown) {
      const error = this.blamed(thrown, moduleId);
      this.#log.error('a removed module failed during its shutdown delay; releasing its resources anyway', {
        where,
        error,
      });
    }
  }

  /** Adds the package name to an error from a third-party module. */
  blamed(error: unknown, moduleId: string): unknown {
    return blame(readableError(error), moduleId, this.#registry.originOf(moduleId));
  }
}
