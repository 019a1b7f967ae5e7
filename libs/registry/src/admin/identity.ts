/** The identity of this server: how it proves to others who it is. */
import { token, type Token } from '../modules/namespace.ts';

/** A certificate with its key. */
export interface IdentityCertificate {
  /** PEM, the chain from the leaf up. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

/** The certificate of `admin.identity`, obtained and renewed in the background. */
export interface ServerIdentity {
  /** The certificate now; rejects with the reason while there is none. */
  certificate(): Promise<IdentityCertificate>;
}

/** Provided by the section `admin` for what it hosts. */
export const serverIdentity: Token<ServerIdentity | null> = token<ServerIdentity | null>('server_identity');
