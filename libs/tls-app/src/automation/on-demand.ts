/** Permission checks for on-demand certificates, with limits. */
import { type Logger } from '@sluice/base';
import type { Permission } from '../contracts/permission.ts';

/** Maximum number of concurrent permission checks. If the limit is reached, further handshakes are rejected. */
const maxConcurrent = 100;
/** Cache duration for denials, in milliseconds, and maximum number of cached denials. */
const refusedFor = 10_000;
const maxRefused = 50_000;
/** Timeout of a permission check, in milliseconds. */
const timeout = 10_000;

/** Checks permissions for on-demand certificates and caches the allowed names. */
export class OnDemand {
  readonly #log: Logger;
  readonly #allowed = new Set<string>();
  readonly #refused = new Map<string, number>();
  #asking = 0;
  #warned = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Reports whether a name has been allowed. The certificate of an allowed name is kept. */
  has(name: string): boolean {
    return this.#allowed.has(name);
  }

  /** Removes a name from the allowed names. */
  forget(name: string): void {
    this.#allowed.delete(name);
  }

  /** Removes the oldest allowed names beyond `capacity`, and returns them. */
  beyond(capacity: number): string[] {
    const names = [...this.#allowed.keys().take(Math.max(0, this.#allowed.size - capacity))];
    for (const name of names) this.#allowed.delete(name);
    return names;
  }

  /** Reports whether a certificate may be obtained for a name. */
  async allows(name: string, permission: Permission | null): Promise<boolean> {
    if (permission === null) {
      if (!this.#warned)
        this.#log.error('on-demand certificates require a permission module; set automation.on_demand.permission', {
          name,
        });
      this.#warned = true;
      return false;
    }
    if ((this.#refused.get(name) ?? 0) > performance.now() || this.#asking >= maxConcurrent) return false;
    this.#asking++;
    try {
      const allowed = await permission.allows(name, AbortSignal.timeout(timeout));
      if (allowed) this.#allowed.add(name);
      else this.#refuse(name);
      return allowed;
    } catch (error) {
      this.#log.error('failed to check permission for on-demand certificate', {
        name,
        error,
      });
      this.#refuse(name);
      return false;
    } finally {
      this.#asking--;
    }
  }

  #refuse(name: string): void {
    if (this.#refused.size >= maxRefused) this.#refused.clear();
    this.#refused.set(name, performance.now() + refusedFor);
  }
}
