import type { Logger } from '@sluice/base';
import type { Storage } from '@sluice/contracts';
import type { Certificate } from '../certificates/certificate.ts';
import type { Issuer } from '../contracts/issuer.ts';
import type { Emit } from './events.ts';

/** What a name tells of itself. */
export interface NameEvents {
  /** The certificate has changed; `before` is the one that it replaces. */
  changed(name: { readonly name: string }, certificate: Certificate, before: Certificate | null): void;
  /** Rejects if the storage can not keep certificates. Absent where no one looks. */
  checkStorage?(storage: Storage): Promise<void>;
  /** For the app `events`. */
  readonly emit: Emit;
}

/** Who issues for a name, and who hears of it. */
export interface NameHost {
  readonly issuers: readonly Issuer[];
  readonly events: NameEvents;
  readonly log: Logger;
}
