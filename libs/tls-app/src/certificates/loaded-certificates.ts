/** Certificates loaded from the configuration, grouped by certificate loader. */
import { messageOf } from '@sluice/base';
import type { Context } from '@sluice/registry';
import { readCertificate, type Certificate } from './certificate.ts';
import { CertificateIndex } from './certificate-index.ts';
import type { LoadedCertificate } from '../contracts/key-pair.ts';
import type { CertificateLoader } from '../contracts/certificate-loader.ts';

export interface LoadedSet {
  readonly loader: CertificateLoader;
  readonly certificates: readonly Certificate[];
}

/** Certificate sets of a configuration, by name of the certificate loader. */
export type LoadedSets = ReadonlyMap<string, LoadedSet>;

/** Updates the certificate index when the loaded certificates change. */
export class LoadedCertificates {
  readonly #index: CertificateIndex;
  readonly #dropped: (hash: string) => void;
  /** Index that contains only loaded certificates. Names that it covers need no managed certificate. */
  readonly #own = new CertificateIndex();
  #sets: LoadedSets = new Map();
  #version = 0;
  /** Certificates of a configuration that is being prepared or only tested. `null` if there is none. */
  #prepared: LoadedSets | null = null;

  constructor(index: CertificateIndex, dropped: (hash: string) => void) {
    this.#index = index;
    this.#dropped = dropped;
  }

  /** Version number, which changes whenever the loaded certificates change. */
  get version(): number {
    return this.#version;
  }

  get all(): Certificate[] {
    return [...this.#sets.values()].flatMap(({ certificates }) => certificates);
  }

  covers(name: string): boolean {
    return this.#own.covers(name);
  }

  /**
   * Reports whether a certificate of the configuration being prepared covers a name. If no configuration is being prepared, same as {@link
   * covers}.
   */
  willCover(name: string): boolean {
    if (this.#prepared === null) return this.covers(name);
    const index = new CertificateIndex();
    for (const { certificates } of this.#prepared.values()) for (const each of certificates) index.add(each);
    return index.covers(name);
  }

  /** Loads the certificates of a configuration. Loaders that the previous configuration also used are not called again. */
  async prepare(loaders: ReadonlyMap<string, CertificateLoader>, context: Context): Promise<LoadedSets> {
    const sets = new Map<string, LoadedSet>();
    for (const [name, loader] of loaders) {
      const there = this.#sets.get(name);
      if (there?.loader === loader) sets.set(name, there);
      else sets.set(name, { loader, certificates: await load(name, loader, context) });
    }
    this.#prepared = sets;
    context.onDispose(() => this.#forget(sets));
    return sets;
  }

  #forget(sets: LoadedSets): void {
    if (this.#prepared === sets) this.#prepared = null;
  }

  /** Activates the loaded certificates of a configuration. */
  use(sets: LoadedSets): void {
    this.#forget(sets);
    const before = this.#sets;
    this.#sets = sets;
    this.#exchange([...before.values()], [...sets.values()]);
  }

  /** Replaces the certificates of a loader. If any certificate is unusable, throws and changes nothing. */
  reload(name: string, certificates: readonly LoadedCertificate[]): void {
    const before = this.#sets.get(name);
    if (before === undefined) return;
    const set: LoadedSet = { loader: before.loader, certificates: certificates.map(read) };
    this.#sets = new Map([...this.#sets, [name, set]]);
    this.#exchange([before], [set]);
  }

  #exchange(before: readonly LoadedSet[], after: readonly LoadedSet[]): void {
    for (const set of after) {
      if (before.includes(set)) continue;
      this.#version++;
      for (const certificate of set.certificates) {
        this.#index.add(certificate);
        this.#own.add(certificate);
      }
    }
    for (const set of before) {
      if (after.includes(set)) continue;
      this.#version++;
      for (const { hash } of set.certificates) {
        this.#own.remove(hash);
        if (this.#index.remove(hash)) this.#dropped(hash);
      }
    }
  }
}

async function load(name: string, loader: CertificateLoader, context: Context): Promise<Certificate[]> {
  try {
    return (await loader.load()).map(read);
  } catch (error) {
    throw context.error(messageOf(error), 'certificates', name);
  }
}

function read(loaded: LoadedCertificate): Certificate {
  return readCertificate(loaded, { tags: loaded.tags, source: loaded.source, issuerKey: null });
}
