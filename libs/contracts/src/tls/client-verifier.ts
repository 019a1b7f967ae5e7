/** Contracts of client authentication. CA pools have a contract of their own, `caPoolSources`. */
import type { X509Certificate } from 'node:crypto';
import { namespace, type Namespace } from '@sluice/registry';

/** Looks at the certificate of a client after the mode of its policy was content. Runs in traffic threads. */
export interface ClientVerifier {
  /** Throws, with the reason, when the client is not to be let in. `chain` is as the client sent it, its own first. */
  verify(chain: readonly X509Certificate[]): void;
}

/** `tls.client_auth.verifier`: inline key `verifier`. */
export const clientVerifiers: Namespace<ClientVerifier> = namespace<ClientVerifier>('tls.client_auth.verifier');

/** Brings certificates of clients that the verifier `leaf` lets in. Provisioned in every thread. */
export interface LeafLoader {
  /** PEM texts, one or more certificates to a text. Called once per provision; an error refuses the configuration. */
  load(): Promise<readonly string[]>;
}

/** `tls.leaf_cert_loader`: inline key `loader`. */
export const leafLoaders: Namespace<LeafLoader> = namespace<LeafLoader>('tls.leaf_cert_loader');
