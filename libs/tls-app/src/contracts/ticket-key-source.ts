/** Interface that session ticket key source modules implement. */
import { namespace, type Namespace } from '@sluice/registry';

/** Key rotation settings. Times are in milliseconds. */
export interface TicketKeySettings {
  /** Interval between key rotations. 0 disables rotation. */
  readonly rotationInterval: number;
  /** Number of keys that can decrypt tickets, at least 1. The first key also encrypts new tickets. */
  readonly maxKeys: number;
}

/** Generates and rotates session ticket keys. Provisioned and called in the control thread. All threads use its keys. */
export interface TicketKeySource {
  /**
   * Starts the source. Resolves with the keys, current key first. A key is 48 bytes in Node's format: 16 each for name, HMAC and AES.
   * Passes new keys to `changed` after each rotation until `signal` is aborted.
   */
  start(
    settings: TicketKeySettings,
    changed: (keys: readonly Buffer[]) => void,
    signal: AbortSignal,
  ): Promise<readonly Buffer[]>;
}

/** Namespace `tls.stek` for session ticket key sources. The inline key is `provider`. */
export const ticketKeySources: Namespace<TicketKeySource> = namespace<TicketKeySource>('tls.stek');
