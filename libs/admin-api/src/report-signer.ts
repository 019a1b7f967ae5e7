/** Interface of the service that signs reports. */
import type { JsonObject } from '@sluice/base';

/** Signs reports with a private key of the server. */
export interface ReportSigner {
  /** Returns a JSON Web Signature in compact serialization (RFC 7515). Rejects if the key cannot be read or stored. */
  sign(payload: string): Promise<string>;
  /** Returns the public key as a JSON Web Key (RFC 7517). */
  publicKey(): Promise<JsonObject>;
}
