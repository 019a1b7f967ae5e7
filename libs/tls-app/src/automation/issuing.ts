/** Asks the issuers of one name in turn, and leaves those alone for a while that have refused it for good. */
import { SluiceError, messageOf } from '@sluice/base';
import type { StorageLock } from '@sluice/contracts';
import type { Certificate } from '../certificates/certificate.ts';
import type { Issuer } from '../contracts/issuer.ts';
import { isOfType, makeKey, makeRequest } from './key-type.ts';
import { wasLost } from './lost-lock.ts';
import type { AutomationPolicy } from './policy.ts';

/** Longest time that one issuer is given, in milliseconds. */
const patience = 10 * 60_000;
/** How long an issuer is left alone that has refused a name for good (`permanent`), in milliseconds. */
const refusalPause = 24 * 3_600_000;
const never = Number.POSITIVE_INFINITY;

/** What a certificate is wanted for. */
export interface IssueRequest {
  readonly name: string;
  readonly policy: AutomationPolicy;
  readonly issuers: readonly Issuer[];
  /** The certificate that is renewed; `null` for none. */
  readonly renewed: Certificate | null;
  /** How often it was tried in vain. */
  readonly attempt: number;
  /** Others know the key that is stored. */
  readonly compromised: boolean;
  readonly signal: AbortSignal;
  /** Of the name: what is issued is stored while it is held. */
  readonly lock: StorageLock;
}

/** The issuers' refusals of one name, and its turns with them. */
export class Issuing {
  /** Issuers that have refused for good, and until when they are not asked again, in milliseconds since 1970. */
  readonly #refusals = new Map<Issuer, number>();

  /** Whether an issuer has refused for good. */
  get refused(): boolean {
    return this.#refusals.size > 0;
  }

  /** Asks them all again. */
  forgive(): void {
    this.#refusals.clear();
  }

  /** When the first issuer may be asked again if all have refused for good; 0 if one has not. */
  refusedUntil(issuers: readonly Issuer[]): number {
    const now = Date.now();
    let first = never;
    for (const issuer of issuers) {
      const until = this.#refusals.get(issuer) ?? 0;
      if (until <= now) return 0;
      first = Math.min(first, until);
    }
    return first === never ? 0 : first;
  }

  /** Asks the issuers in turn. Rejects with the reasons of all of them. */
  async issue(request: IssueRequest): Promise<Certificate> {
    const failures: string[] = [];
    for (const issuer of request.issuers) {
      const until = this.#refusals.get(issuer) ?? 0;
      if (until > Date.now()) {
        failures.push(`${issuer.storageKey}: permanently rejected; next attempt at ${new Date(until).toISOString()}`);
        continue;
      }
      try {
        return await issueBy(issuer, request);
      } catch (error) {
        if (request.signal.aborted || wasLost(request.lock, error)) throw error;
        failures.push(`${issuer.storageKey}: ${messageOf(error)}`);
        if ((error as { permanent?: unknown } | null)?.permanent === true)
          this.#refusals.set(issuer, Date.now() + refusalPause);
      }
    }
    throw new SluiceError('ERR_ISSUANCE', failures.join('; '));
  }
}

async function issueBy(issuer: Issuer, request: IssueRequest): Promise<Certificate> {
  const { name, policy, renewed, attempt, compromised, signal, lock } = request;
  const objection = issuer.objection?.(name) ?? null;
  if (objection !== null) throw new SluiceError('ERR_ISSUANCE', objection);
  const kept = policy.reusePrivateKeys && !compromised ? await policy.store.loadKey(issuer.storageKey, name) : null;
  const key = kept !== null && isOfType(kept, policy.keyType) ? kept : await makeKey(policy.keyType);
  const { chain, data = null } = await issuer.issue({
    names: [name],
    csr: await makeRequest([name], key, policy.mustStaple),
    attempt,
    replaces: renewed?.issuerKey === issuer.storageKey ? renewed.chain : null,
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
  });
  return policy.store.save(issuer.storageKey, name, { chain, key, data }, lock);
}
