/** Detects circular dependencies between top-level parts of a configuration during provisioning. */
import { configError } from '@sluice/base';

export class UnitWaits {
  readonly #waits = new Map<string, Set<string>>();

  /** Records that a unit waits for another one. Throws if this creates a cycle. */
  add(from: string, to: string): void {
    const reaches = (unit: string): boolean => unit === from || [...(this.#waits.get(unit) ?? [])].some(reaches);
    if (reaches(to))
      throw configError(from.replace('/', '.'), `depends on ${to.replace('/', '.')}, which in turn depends on it`);
    const waits = this.#waits.get(from) ?? new Set();
    this.#waits.set(from, waits.add(to));
  }
}
