/** The certificates of a thread by name. */
import type { Certificate } from './certificate.ts';
import { wildcardsOf } from './names.ts';

const none: readonly Certificate[] = [];

/** Finds the certificates for a name; what a look-up costs does not depend on how many there are. */
export class CertificateIndex {
  readonly #byName = new Map<string, Certificate[]>();
  readonly #byHash = new Map<string, { certificate: Certificate; users: number }>();

  get size(): number {
    return this.#byHash.size;
  }

  /** All certificates, in the order they came. */
  *[Symbol.iterator](): IterableIterator<Certificate> {
    for (const { certificate } of this.#byHash.values()) yield certificate;
  }

  /** Adds a certificate. One that is there already stays until it was removed as often as it was added. */
  add(certificate: Certificate): void {
    const there = this.#byHash.get(certificate.hash);
    if (there !== undefined) {
      there.users++;
      return;
    }
    this.#byHash.set(certificate.hash, { certificate, users: 1 });
    for (const name of certificate.names) {
      const list = this.#byName.get(name);
      if (list === undefined) this.#byName.set(name, [certificate]);
      else list.push(certificate);
    }
  }

  /** Removes a certificate; gives whether it is gone now. */
  remove(hash: string): boolean {
    const there = this.#byHash.get(hash);
    if (there === undefined || --there.users > 0) return false;
    this.#byHash.delete(hash);
    for (const name of there.certificate.names) {
      const rest = (this.#byName.get(name) ?? []).filter((each) => each !== there.certificate);
      if (rest.length === 0) this.#byName.delete(name);
      else this.#byName.set(name, rest);
    }
    return true;
  }

  /** Certificates with exactly this name. */
  exactly(name: string): readonly Certificate[] {
    return this.#byName.get(name) ?? none;
  }

  /** Lists of certificates for a name, the best first: those with the name, then those with a wildcard for it. */
  *candidates(name: string): IterableIterator<readonly Certificate[]> {
    const exact = this.#byName.get(name);
    if (exact !== undefined) yield exact;
    for (const wildcard of wildcardsOf(name)) {
      const list = this.#byName.get(wildcard);
      if (list !== undefined) yield list;
    }
  }

  /** Whether a certificate is for a name, by the name itself or a wildcard. */
  covers(name: string): boolean {
    return this.candidates(name).next().done !== true;
  }
}
