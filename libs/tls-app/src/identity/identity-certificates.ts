/** Certificates of a server identity (`admin.identity`). Runs in the control thread. */
import { SluiceError, taskOf, unawaited, type Logger } from '@sluice/base';
import type { IdentityCertificate, ServerIdentity } from '@sluice/contracts';
import type { ManagedName } from '../automation/managed-name.ts';
import type { NameEvents } from '../automation/name-host.ts';

const task = taskOf('tls');

/** Maximum interval between renewal checks, in milliseconds. The limit is needed because the clock may jump. */
const interval = 10 * 60_000;

/** Minimum interval between renewal checks, in milliseconds. */
const minWait = 100;

export class IdentityCertificates implements ServerIdentity, NameEvents {
  readonly #log: Logger;
  readonly #listeners = new Set<() => void>();
  #names: readonly ManagedName[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  async certificate(name?: string): Promise<IdentityCertificate> {
    const managed = this.#names.find((other) => other.name === name) ?? this.#names[0];
    if (managed === undefined) throw new SluiceError('ERR_IDENTITY', 'admin.identity contains no identifiers');
    if (managed.certificate === null) await managed.run();
    const { certificate, lastError } = managed;
    if (certificate === null)
      throw new SluiceError('ERR_IDENTITY', `no certificate for ${managed.name} yet: ${lastError ?? 'stopped'}`);
    return { cert: certificate.chain, key: certificate.key };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Loads stored identity certificates before they are needed. */
  async load(names: readonly ManagedName[]): Promise<void> {
    this.#names = names;
    const loads = names.map((managed) =>
      managed.load().catch((error: unknown) => {
        this.#log.error('failed to read identity certificate from storage', { identifier: managed.name, error });
      }),
    );
    await Promise.all(loads);
  }

  /** Obtains missing identity certificates and starts renewing them. */
  begin(): void {
    unawaited(task, this.#round());
  }

  /** Stops renewals. Called when the identity is no longer needed. */
  stop(): void {
    for (const managed of this.#names) managed.stop();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#listeners.clear();
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  emit(): void {
    // Identity certificates emit no events. The `tls` app emits events only for site certificates.
  }

  async #round(): Promise<void> {
    const now = Date.now();
    await Promise.all(this.#names.filter(({ due }) => due <= now).map((managed) => managed.run()));
    const next = Math.min(...this.#names.map(({ due }) => due));
    if (!Number.isFinite(next)) return;
    const wait = Math.min(interval, Math.max(minWait, next - Date.now()));
    this.#timer = setTimeout(() => unawaited(task, this.#round()), wait).unref();
  }
}
