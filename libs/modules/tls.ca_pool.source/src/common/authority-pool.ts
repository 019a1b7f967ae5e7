/** Certificates of the authorities of the app `pki`, which change when they are renewed. */
import { messageOf } from '@sluice/base';
import { pemCertificates, type CaPool } from '@sluice/contracts';
import type { Context } from '@sluice/registry';
import { watchAuthorities, type AuthorityCertificates } from '@sluice/pki-app';

/** Which certificates of an authority are trusted. */
export type Part = (certificates: AuthorityCertificates) => string;

/** Trusts one part of each of some authorities. */
export class AuthorityPool implements CaPool {
  certificates: readonly string[] = [];
  readonly #part: Part;
  readonly #byId = new Map<string, AuthorityCertificates>();

  private constructor(part: Part) {
    this.#part = part;
  }

  /** The pool of the authorities that the option `authority` names. */
  static async provision(ids: readonly string[], part: Part, context: Context): Promise<AuthorityPool> {
    const pool = new AuthorityPool(part);
    try {
      for (const each of await watchAuthorities(ids, context, (renewed) => pool.#take(renewed))) pool.#take(each);
    } catch (error) {
      throw context.error(messageOf(error), 'authority');
    }
    return pool;
  }

  #take(certificates: AuthorityCertificates): void {
    this.#byId.set(certificates.id, certificates);
    this.certificates = [...this.#byId.values()].flatMap((each) => pemCertificates(this.#part(each)));
  }
}
