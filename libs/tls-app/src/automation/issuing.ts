/** Tries the issuers of a name in order. Issuers that have permanently rejected the name are skipped for some time. */
import { SluiceError, messageOf } from '@sluice/base';
import type { StorageLock } from '@sluice/contracts';
import type { Certificate } from '../certificates/certificate.ts';
import type { Issuer } from '../contracts/issuer.ts';
import { isOfType, makeKey, makeRequest } from './key-type.ts';
import { wasLost } from './lost-lock.ts';
import type { AutomationPolicy } from './policy.ts';

/** Timeout for one issuer, in milliseconds. */
const timeout = 10 * 60_000;
/** Time for which an issuer is skipped after it has permanently rejected a name (`permanent`), in milliseconds. */
const refusalPause = 24 * 3_600_000;
const never = Number.POSITIVE_INFINITY;

/** Parameters of issuance. */
export interface IssueRequest {
  readonly name: string;
  readonly policy: AutomationPolicy;
  readonly issuers: readonly Issuer[];
  /** Certificate to renew; `null` for a new certificate. */
  readonly renewed: Certificate | null;
  readonly attempt: number;
  /** True if the stored key is compromised. */
  readonly compromised: boolean;
  readonly signal: AbortSignal;
  /** Lock of the name. It is kept while the certificate is stored. */
  readonly lock: StorageLock;
}

/** Issuers of a name, and their permanent rejections. */
export class Issuing {
  /** Issuers that have permanently rejected the name, and when to try them again, in milliseconds since 1970. */
  readonly #refusals = new Map<Issuer, number>();

  /** Reports whether any issuer has permanently rejected the name. */
  get refused(): boolean {
    return this.#refusals.size > 0;
  }

  clearRejections(): void {
    this.#refusals.clear();
  }

  /** Returns when the first issuer may be tried again if all issuers have rejected the name; otherwise 0. */
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

  /** Tries the issuers in order. Rejects with the reasons of all issuers. */
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
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
  });
  return policy.store.save(issuer.storageKey, name, { chain, key, data }, lock);
}
