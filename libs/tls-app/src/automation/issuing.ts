/** Tries a name's issuers in order. For a limited time, skips issuers that have permanently rejected the name. */
import { SluiceError, messageOf } from '@sluice/base';
import type { StorageLock } from '@sluice/contracts';
import type { Certificate } from '../certificates/certificate.ts';
import type { Issuer } from '../contracts/issuer.ts';
import { isOfType, makeKey, makeRequest } from './key-type.ts';
import { wasLost } from './lost-lock.ts';
import type { AutomationPolicy } from './policy.ts';

/** Timeout for an attempt with one issuer, in milliseconds. */
const timeout = 10 * 60_000;
/** Time, in milliseconds, for which an issuer is skipped after it has permanently rejected a name (error with `permanent`). */
const refusalPause = 24 * 3_600_000;
const never = Number.POSITIVE_INFINITY;

/** Parameters of issuance. */
export interface IssueRequest {
  readonly name: string;
  readonly policy: AutomationPolicy;
  readonly issuers: readonly Issuer[];
  /** Certificate to renew, or `null` when obtaining a new certificate. */
  readonly renewed: Certificate | null;
  readonly attempt: number;
  /** True if the stored private key is compromised. */
  readonly compromised: boolean;
  readonly signal: AbortSignal;
  /** Lock for the name. It remains held while the certificate is stored. */
  readonly lock: StorageLock;
}

/** Tries the issuers for a name and records their permanent rejections. */
export class Issuing {
  /**
   * Issuers that have permanently rejected the name. Values are the times at which they may be tried again, in milliseconds since the Unix
   * epoch.
   */
  readonly #refusals = new Map<Issuer, number>();

  /** True if any issuer has permanently rejected the name. */
  get refused(): boolean {
    return this.#refusals.size > 0;
  }

  clearRejections(): void {
    this.#refusals.clear();
  }

  /** Returns the earliest time at which an issuer may be tried again if all issuers have rejected the name. Returns 0 otherwise. */
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

  /** Tries the issuers in order until one succeeds. If all fail, rejects with the reasons of all issuers. */
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
