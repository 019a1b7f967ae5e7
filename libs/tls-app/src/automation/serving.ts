/** Which certificate of a managed name the threads serve: a renewed one takes over when its OCSP response is there. */
import { taskOf, unawaited } from '@sluice/base';
import type { Certificate } from '../certificates/certificate.ts';
import type { Stapling } from '../ocsp/stapling.ts';
import type { CertificateChanges } from './certificate-changes.ts';
import type { ManagedName } from './managed-name.ts';

const task = taskOf('tls');

/** Longest that a renewed certificate waits for its OCSP response while the one before is served, in milliseconds. */
const staplePatience = 5000;

/** Hands certificates to the threads and takes them back. */
export class Serving {
  readonly #changes: CertificateChanges;
  readonly #stapling: Stapling;

  constructor(changes: CertificateChanges, stapling: Stapling) {
    this.#changes = changes;
    this.#stapling = stapling;
  }

  /** Serves a certificate that a name has got: the first at once, a renewed one when its OCSP response is there. */
  changed(managed: ManagedName, certificate: Certificate, before: Certificate | null): void {
    if (before === null || this.#stapling.get(certificate.hash) === null) this.#serve(managed);
    else unawaited(task, this.#serveStapled(managed, certificate));
  }

  /** A name is given up: its certificates are not served any more. */
  withdraw({ certificate, served }: ManagedName): void {
    if (served !== null) this.#remove(served);
    if (certificate !== null && certificate !== served) this.#stapling.remove(certificate.hash);
  }

  async #serveStapled(managed: ManagedName, certificate: Certificate): Promise<void> {
    await this.#stapling.ready(certificate.hash, staplePatience);
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
