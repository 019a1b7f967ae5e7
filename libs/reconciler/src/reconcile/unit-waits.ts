/** Detects circular dependencies between apps and sections of a configuration while they are provisioned. */
import { configError } from '@sluice/base';

export class UnitWaits {
  readonly #waits = new Map<string, Set<string>>();

  /** Records that one app or section waits for another. Throws if this creates a cycle. */
  add(from: string, to: string): void {
    const reaches = (unit: string): boolean => unit === from || [...(this.#waits.get(unit) ?? [])].some(reaches);
    if (reaches(to))
      throw configError(
        from.replace('/', '.'),
        `depends on ${to.replace('/', '.')}, which also depends on ${from.replace('/', '.')}; remove one of the dependencies`,
      );
    const waits = this.#waits.get(from) ?? new Set();
    this.#waits.set(from, waits.add(to));
  }
}
