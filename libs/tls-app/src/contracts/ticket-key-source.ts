/** Contract of the sources of session ticket keys. */
import { namespace, type Namespace } from '@sluice/registry';

/** How keys are to change. Times in milliseconds. */
export interface TicketKeySettings {
  /** 0: the key stays. */
  readonly rotationInterval: number;
  /** How many keys are good for opening tickets; the first one also seals new ones. At least 1. */
  readonly maxKeys: number;
}

/** Makes keys, and rotates them. Provisioned and called in the control thread, whose keys all threads use. */
export interface TicketKeySource {
  /**
   * Begins: resolves with keys of 48 bytes (16 of name, 16 for HMAC, 16 for AES, as Node takes them), the current one
   * first; `changed` gets them again at each rotation until `signal` is aborted.
   */
  start(
    settings: TicketKeySettings,
    changed: (keys: readonly Buffer[]) => void,
    signal: AbortSignal,
  ): Promise<readonly Buffer[]>;
}

/** `tls.stek`: inline key `provider`. */
export const ticketKeySources: Namespace<TicketKeySource> = namespace<TicketKeySource>('tls.stek');
