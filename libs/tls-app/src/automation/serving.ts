/** Selects the certificate to serve for a managed name. A renewed certificate is served once its OCSP response is available. */
import { taskOf, unawaited } from '@sluice/base';
import type { Certificate } from '../certificates/certificate.ts';
import type { Stapling } from '../ocsp/stapling.ts';
import type { CertificateChanges } from './certificate-changes.ts';
import type { ManagedName } from './managed-name.ts';

const task = taskOf('tls');

/** Maximum time that a renewed certificate waits for its OCSP response, in milliseconds. */
const stapleTimeout = 5000;

/** Publishes and withdraws served certificates in all threads. */
export class Serving {
  readonly #changes: CertificateChanges;
  readonly #stapling: Stapling;

  constructor(changes: CertificateChanges, stapling: Stapling) {
    this.#changes = changes;
    this.#stapling = stapling;
  }

  /**
   * Serves a new certificate. The first certificate for a name is served immediately. A renewed certificate is served once its OCSP
   * response is available.
   */
  changed(managed: ManagedName, certificate: Certificate, before: Certificate | null): void {
    if (before === null || this.#stapling.get(certificate.hash) === null) this.#serve(managed);
    else unawaited(task, this.#serveStapled(managed, certificate));
  }

  /** Stops serving the certificates of a dropped name. */
  withdraw({ certificate, served }: ManagedName): void {
    if (served !== null) this.#remove(served);
    if (certificate !== null && certificate !== served) this.#stapling.remove(certificate.hash);
  }

  async #serveStapled(managed: ManagedName, certificate: Certificate): Promise<void> {
    await this.#stapling.ready(certificate.hash, stapleTimeout);
    if (managed.certificate === certificate) this.#serve(managed);
    else this.#stapling.remove(certificate.hash);
  }

  #serve(managed: ManagedName): void {
    const { certificate, served } = managed;
    if (managed.stopped || certificate === null || certificate === served) return;
    managed.served = certificate;
    this.#changes.add(certificate);
    if (served !== null) this.#remove(served);
  }

  #remove({ hash }: Certificate): void {
    this.#changes.remove(hash);
    this.#stapling.remove(hash);
  }
}
