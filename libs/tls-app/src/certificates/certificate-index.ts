/** Index of a thread's certificates by name. */
import type { Certificate } from './certificate.ts';
import { wildcardsOf } from './names.ts';

const none: readonly Certificate[] = [];

/** Finds the certificates for a name. The lookup time does not depend on the number of certificates. */
export class CertificateIndex {
  readonly #byName = new Map<string, Certificate[]>();
  readonly #byHash = new Map<string, { certificate: Certificate; users: number }>();

  get size(): number {
    return this.#byHash.size;
  }

  /** Yields all certificates in insertion order. */
  *[Symbol.iterator](): IterableIterator<Certificate> {
    for (const { certificate } of this.#byHash.values()) yield certificate;
  }

  /** Adds a certificate. A certificate that was added several times must be removed the same number of times. */
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

  /** Removes a certificate. Returns true if the certificate is no longer in the index. */
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

  exactly(name: string): readonly Certificate[] {
    return this.#byName.get(name) ?? none;
  }

  /** Yields lists of certificates that match a name. Exact matches come first, followed by wildcards. */
  *candidates(name: string): IterableIterator<readonly Certificate[]> {
    const exact = this.#byName.get(name);
    if (exact !== undefined) yield exact;
    for (const wildcard of wildcardsOf(name)) {
      const list = this.#byName.get(wildcard);
      if (list !== undefined) yield list;
    }
  }

  /** Reports whether any certificate matches a name, either exactly or with a wildcard. */
  covers(name: string): boolean {
    return this.candidates(name).next().done !== true;
  }
}
