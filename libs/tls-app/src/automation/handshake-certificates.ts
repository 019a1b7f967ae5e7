/**
 * Finds certificates for handshakes when a thread has no matching certificate. Sources are managed names, certificate managers and
 * on-demand issuance.
 */
import { within } from '@sluice/base';
import type { ClientHello } from '@sluice/contracts';
import { readCertificate, type Certificate } from '../certificates/certificate.ts';
import { isValidAt } from '../schedule/schedule.ts';
import type { ManagedName } from './managed-name.ts';
import type { LifecycleHost, NameLifecycle } from './name-lifecycle.ts';
import type { AutomationPolicy } from './policy.ts';
import { qualifies } from './qualify.ts';
import { policyFor, type AutomationSettings } from './settings.ts';

/** Maximum time that a handshake waits for a certificate, in milliseconds. */
const handshakeTimeout = 10_000;

export class HandshakeCertificates {
  readonly #lifecycle: NameLifecycle;
  readonly #host: Pick<LifecycleHost, 'log' | 'onDemand' | 'changes'>;

  constructor(lifecycle: NameLifecycle, host: Pick<LifecycleHost, 'log' | 'onDemand' | 'changes'>) {
    this.#lifecycle = lifecycle;
    this.#host = host;
  }

  /** Returns a certificate for the server name in a handshake, or `null` if there is none. */
  async find(hello: ClientHello): Promise<Certificate | null> {
    const name = hello.serverName === '' ? hello.localAddress : hello.serverName;
    const managed = this.#lifecycle.names.covering(name);
    if (managed !== undefined) return this.#valid(managed);
    const { settings } = this.#lifecycle;
    if (settings === null) return null;
    const policy = policyFor(settings, name);
    return (await this.#fromManagers(policy, hello, name)) ?? this.#obtain(name, policy, settings);
  }

  /** Returns the certificate of a managed name if it is valid. Otherwise, starts a renewal or waits for the one in progress. */
  async #valid(managed: ManagedName): Promise<Certificate | null> {
    const { certificate } = managed;
    if (certificate === null || !isValidAt(certificate, Date.now())) await within(managed.run(), handshakeTimeout);
    this.#host.changes.publish();
    return managed.certificate;
  }

  async #fromManagers({ managers }: AutomationPolicy, hello: ClientHello, name: string): Promise<Certificate | null> {
    for (const manager of managers) {
      const pair = await manager.get(hello, AbortSignal.timeout(handshakeTimeout)).catch((error: unknown) => {
        this.#host.log.error('certificate manager failed', { server_name: name, error });
        return null;
      });
      if (pair !== null) return readCertificate(pair, { tags: [], source: 'get_certificate', issuerKey: null });
    }
    return null;
  }

  async #obtain(name: string, policy: AutomationPolicy, settings: AutomationSettings): Promise<Certificate | null> {
    if (!policy.onDemand || !qualifies(name) || !(await this.#host.onDemand.allows(name, settings.permission)))
      return null;
    return this.#valid(this.#lifecycle.manageOnDemand(name, settings));
  }
}
