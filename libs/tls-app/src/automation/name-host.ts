import type { Logger } from '@sluice/base';
import type { Storage } from '@sluice/contracts';
import type { Certificate } from '../certificates/certificate.ts';
import type { Issuer } from '../contracts/issuer.ts';
import type { Emit } from './events.ts';

/** Events that a managed name reports to certificate management. */
export interface NameEvents {
  /** Called when the certificate has changed. `before` is the previous certificate. */
  changed(name: { readonly name: string }, certificate: Certificate, before: Certificate | null): void;
  /** Checks that certificates can be stored, and rejects if they can't. Undefined if the check is disabled. */
  checkStorage?(storage: Storage): Promise<void>;
  /** Emits events through the `events` app. */
  readonly emit: Emit;
}

/** Dependencies of a managed name. */
export interface NameHost {
  readonly issuers: readonly Issuer[];
  readonly events: NameEvents;
  readonly log: Logger;
}
