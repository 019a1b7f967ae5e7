/** ACME certificate issuer. Each call makes one attempt, and the `tls` app handles retries. */
import { isIP } from 'node:net';
import {
  certificateId,
  HttpsTransport,
  isAcmeProblem,
  obtain,
  renewalInfo,
  revokeCertificate,
  Session,
  type Account,
  type ObtainedCertificate,
  type ObtainRequest,
} from '@sluice/acme';
import { type Logger } from '@sluice/base';
import type { CertificateOrder, IssuedCertificate, Issuer, RenewalWindow, SharedChallenges } from '@sluice/tls-app';
import { AccountStore } from './account/account-store.ts';
import { folderOf } from './folder.ts';
import { sharedSolver, StoredChallenges } from './challenges/shared.ts';
import type { AcmeSettings } from './settings.ts';

/** ACME error types for which repeating the same request is useless. */
const lasting: ReadonlySet<string> = new Set([
  'externalAccountRequired',
  'invalidProfile',
  'rejectedIdentifier',
  'unsupportedIdentifier',
  'userActionRequired',
]);

/** ACME error types that indicate that the account no longer exists at the CA. */
const lostAccountErrors: ReadonlySet<string> = new Set(['accountDoesNotExist', 'unauthorized']);

export class AcmeIssuer implements Issuer {
  readonly storageKey: string;
  readonly sharedChallenges: SharedChallenges;
  readonly #settings: AcmeSettings;
  readonly #log: Logger;
  #transport: HttpsTransport | null = null;

  constructor(settings: AcmeSettings, log: Logger) {
    const { ca, testCa, storage } = settings;
    this.storageKey = folderOf(ca);
    this.sharedChallenges = new StoredChallenges(storage, testCa === null ? [ca] : [ca, testCa]);
    this.#settings = settings;
    this.#log = log;
  }

  /** Returns the reason why the enabled challenges can't validate a name (RFC 8555 §8.4, RFC 8738 §7). Returns `null` if they can. */
  objection(name: string): string | null {
    const { solvers } = this.#settings;
    const usesDns = solvers.has('dns-01') || solvers.has('dns-persist-01');
    if (name.startsWith('*.') && !usesDns) return 'wildcard names require the dns-01 or the dns-persist-01 challenge';
    if (isIP(name) !== 0 && usesDns) return 'IP addresses cannot be validated with a DNS challenge';
    return null;
  }

  async issue(order: CertificateOrder): Promise<IssuedCertificate> {
    const { ca, testCa } = this.#settings;
    // On a retry, use the test CA first, because its rate limits are higher.
    if (order.attempt > 0 && testCa !== null) await this.#obtain(testCa, { ...order, replaces: null });
    const { account, chain, url } = await this.#obtain(ca, order);
    return { chain, data: { url, ca, account: account.url } };
  }

  async revoke(chain: string, reason: number, signal: AbortSignal): Promise<void> {
    const session = this.#session(this.#settings.ca, signal);
    const account = await this.#accounts(this.#settings.ca).account(session);
    await revokeCertificate(session, account, chain, reason);
  }

  async renewalWindow(chain: string, signal: AbortSignal): Promise<RenewalWindow | null> {
    return renewalInfo(this.#session(this.#settings.ca, signal), chain);
  }

  /** Closes the connections to the CA. */
  close(): void {
    this.#transport?.close();
  }

  async #obtain(ca: string, order: CertificateOrder): Promise<ObtainedCertificate & { readonly account: Account }> {
    const { timeout } = this.#settings;
    const signal = timeout === null ? order.signal : AbortSignal.any([order.signal, AbortSignal.timeout(timeout)]);
    const session = this.#session(ca, signal);
    const accounts = this.#accounts(ca);
    const account = await accounts.account(session);
    try {
      try {
        return { ...(await obtain(session, account, await this.#request(ca, order))), account };
      } catch (error) {
        if (!isAcmeProblem(error) || !lostAccountErrors.has(error.type)) throw error;
        const renewed = await accounts.registerAgain(session, account);
        if (renewed === null) throw error;
        return { ...(await obtain(session, renewed, await this.#request(ca, order))), account: renewed };
      }
    } catch (error) {
      throw isAcmeProblem(error) && lasting.has(error.type) ? Object.assign(error, { permanent: true }) : error;
    }
  }

  async #request(ca: string, { names, csr, replaces }: CertificateOrder): Promise<ObtainRequest> {
    const { solvers, storage, profile, chains, lifetime } = this.#settings;
    return {
      identifiers: names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      csr,
      solvers: new Map([...solvers].map(([type, solver]) => [type, sharedSolver(type, solver, storage, ca)])),
      profile,
      chains,
      notAfter: lifetime === null ? null : Date.now() + lifetime,
      replaces: replaces === null ? null : await certificateId(replaces),
      onFallback: (type, error) =>
        this.#log.warn('challenge failed; trying another type', {
          names,
          challenge: type,
          error,
        }),
    };
  }

  #accounts(ca: string): AccountStore {
    return new AccountStore(ca, this.#settings, this.#log);
  }

  #session(directory: string, signal: AbortSignal): Session {
    const { roots, proxy } = this.#settings;
    this.#transport ??= new HttpsTransport({
      ...(roots !== null && { roots }),
      ...(proxy !== null && { proxy }),
    });
    return new Session({ directory, transport: this.#transport, signal });
  }
}
