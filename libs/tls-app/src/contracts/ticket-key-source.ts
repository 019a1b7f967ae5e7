/** Contract of session ticket key sources. */
import { namespace, type Namespace } from '@sluice/registry';

/** Key rotation settings. Times in milliseconds. */
export interface TicketKeySettings {
  /** Rotation interval; 0 means no rotation. */
  readonly rotationInterval: number;
  /** Number of keys that decrypt tickets, at least 1. The first one also encrypts new ones. */
  readonly maxKeys: number;
}

/** Generates and rotates keys. Provisioned and called in the control thread; all threads use its keys. */
export interface TicketKeySource {
  /**
   * Starts the source. Resolves with keys of 48 bytes (16 each for name, HMAC and AES, in Node's format), current key first. Passes new
   * keys to `changed` after each rotation until `signal` is aborted.
   */
  start(
    settings: TicketKeySettings,
    changed: (keys: readonly Buffer[]) => void,
    signal: AbortSignal,
  ): Promise<readonly Buffer[]>;
}

/** `tls.stek`: inline key `provider`. */
export const ticketKeySources: Namespace<TicketKeySource> = namespace<TicketKeySource>('tls.stek');
