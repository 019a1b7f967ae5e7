/** Client authentication interfaces. CA pools have a separate interface, `caPoolSources`. */
import type { X509Certificate } from 'node:crypto';
import { namespace, type Namespace } from '@sluice/registry';

/** Additional verification of client certificates, after the policy's mode has accepted them. Runs in traffic threads. */
export interface ClientVerifier {
  /** Throws with the reason if the client must be rejected. `chain` is as the client sent it, leaf first. */
  verify(chain: readonly X509Certificate[]): void;
}

/** `tls.client_auth.verifier`: inline key `verifier`. */
export const clientVerifiers: Namespace<ClientVerifier> = namespace<ClientVerifier>('tls.client_auth.verifier');

/** Loads client certificates that the verifier `leaf` accepts. Provisioned in every thread. */
export interface LeafLoader {
  /**
   * Returns PEM strings, each with one or more certificates. Called once per provision; an error rejects the
   * configuration.
   */
  load(): Promise<readonly string[]>;
}

/** `tls.leaf_cert_loader`: inline key `loader`. */
export const leafLoaders: Namespace<LeafLoader> = namespace<LeafLoader>('tls.leaf_cert_loader');
