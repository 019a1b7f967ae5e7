/** Certificates on demand: which names may have one, without asking too often or too much. */
import { type Logger } from '@sluice/base';
import type { Permission } from '../contracts/permission.ts';

/** Permissions that are asked for at a time; handshakes beyond are refused. */
const atOnce = 100;
/** How long a refusal holds, in milliseconds, and how many are remembered. */
const refusedFor = 10_000;
const maxRefused = 50_000;
/** Longest that a permission is waited for, in milliseconds. */
const patience = 10_000;

/** Asks permissions, and remembers who was allowed. */
export class OnDemand {
  readonly #log: Logger;
  readonly #allowed = new Set<string>();
  readonly #refused = new Map<string, number>();
  #asking = 0;
  #warned = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Whether a name was allowed: its certificate is kept although no one else wants it. */
  has(name: string): boolean {
    return this.#allowed.has(name);
  }

  /** A name may have no certificate on demand any more. */
  forget(name: string): void {
    this.#allowed.delete(name);
  }

  /** Forgets the names that were allowed first, until there are so many left; gives those. */
  beyond(capacity: number): string[] {
    const names = [...this.#allowed.keys().take(Math.max(0, this.#allowed.size - capacity))];
    for (const name of names) this.#allowed.delete(name);
    return names;
  }

  /** Whether a name may have a certificate. */
  async allows(name: string, permission: Permission | null): Promise<boolean> {
    if (permission === null) {
      if (!this.#warned)
        this.#log.error('on-demand certificates require a permission module; set automation.on_demand.permission', {
          name,
        });
      this.#warned = true;
      return false;
    }
    if ((this.#refused.get(name) ?? 0) > performance.now() || this.#asking >= atOnce) return false;
    this.#asking++;
    try {
      const allowed = await permission.allows(name, AbortSignal.timeout(patience));
      if (allowed) this.#allowed.add(name);
      else this.#refuse(name);
      return allowed;
    } catch (error) {
      this.#log.error('failed to check permission for certificate', {
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
