/** CA certificates from the `pki` app, which change on renewal. */
import { messageOf } from '@sluice/base';
import { pemCertificates, type CaPool } from '@sluice/contracts';
import type { Context } from '@sluice/registry';
import { watchAuthorities, type AuthorityCertificates } from '@sluice/pki-app';

/** Function that selects the trusted certificates of a CA. */
export type Part = (certificates: AuthorityCertificates) => string;

/** CA pool that trusts only the selected certificates of the given CAs. */
export class AuthorityPool implements CaPool {
  certificates: readonly string[] = [];
  readonly #part: Part;
  readonly #byId = new Map<string, AuthorityCertificates>();

  private constructor(part: Part) {
    this.#part = part;
  }

  /** Provisions a CA pool for the CAs in the `authority` option. */
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
