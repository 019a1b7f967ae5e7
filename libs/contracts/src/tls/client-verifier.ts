/** Interfaces for TLS client authentication. The interface of CA pools is separate; see `caPoolSources`. */
import type { X509Certificate } from 'node:crypto';
import { namespace, type Namespace } from '@sluice/registry';

/** Performs additional verification of client certificates that passed the policy's client authentication mode. Runs in traffic threads. */
export interface ClientVerifier {
  /**
   * Throws an error with the reason if the client must be rejected. `chain` is the chain that the client sent, with the leaf certificate
   * first.
   */
  verify(chain: readonly X509Certificate[]): void;
}

/** Module namespace `tls.client_auth.verifier`, with the inline key `verifier`. */
export const clientVerifiers: Namespace<ClientVerifier> = namespace<ClientVerifier>('tls.client_auth.verifier');

/** Loads client certificates that the `leaf` verifier accepts. Provisioned in every thread. */
export interface LeafLoader {
  /** Returns PEM strings, each with one or more certificates. Called once during provisioning. An error rejects the configuration. */
  load(): Promise<readonly string[]>;
}

/** Module namespace `tls.leaf_cert_loader`, with the inline key `loader`. */
export const leafLoaders: Namespace<LeafLoader> = namespace<LeafLoader>('tls.leaf_cert_loader');
