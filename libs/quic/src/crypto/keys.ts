/** Packet protection keys of one encryption level and direction (RFC 9001 §5.1, §6). */
import type { Version } from '../wire/version.ts';
import { expandLabel, extract } from './hkdf.ts';
import type { Aead, CipherProvider, HeaderMask } from './protection.ts';
import { aes128Gcm, type Suite } from './suite.ts';

/** Parameters for deriving keys. */
export interface KeySource {
  readonly ciphers: CipherProvider;
  readonly version: Version;
  readonly suite: Suite;
  readonly direction: 'seal' | 'open';
}

/** An AEAD key, and the secret from which the next key is derived. */
export class Keys {
  readonly source: KeySource;
  readonly aead: Aead;
  readonly header: HeaderMask;
  /** Number of packets that were encrypted with the key, or that failed to decrypt. */
  used = 0;
  readonly #secret: Buffer;

  private constructor(source: KeySource, secret: Buffer, header: HeaderMask | null) {
    const { ciphers, suite, version, direction } = source;
    const label = (name: string): string => `${version.labelPrefix} ${name}`;
    const key = expandLabel(suite.hash, secret, label('key'), suite.keyLength);
    const iv = expandLabel(suite.hash, secret, label('iv'), 12);
    this.source = source;
    this.#secret = secret;
    this.aead = ciphers.aead(suite, key, iv, direction);
    this.header = header ?? ciphers.headerMask(suite, expandLabel(suite.hash, secret, label('hp'), suite.keyLength));
  }

  /** Derives keys from a TLS secret. */
  static of(source: KeySource, secret: Buffer): Keys {
    return new Keys(source, secret, null);
  }

  /** Returns the keys for the next key phase. Both phases share the header protection key (RFC 9001 §6.1). */
  next(): Keys {
    const { suite, version } = this.source;
    const secret = expandLabel(suite.hash, this.#secret, `${version.labelPrefix} ku`, this.#secret.length);
    return new Keys(this.source, secret, this.header);
  }

  /** Frees the keys. If `all` is true, also frees the header protection key. Repeated calls have no effect. */
  free(all: boolean): void {
    this.aead.free();
    if (all) this.header.free();
  }
}

/** Derives the Initial keys. Anyone who observes the first packet can derive them too (RFC 9001 §5.2). */
export function initialKeys(
  ciphers: CipherProvider,
  version: Version,
  destination: Buffer,
): { readonly client: (direction: 'seal' | 'open') => Keys; readonly server: (direction: 'seal' | 'open') => Keys } {
  const secret = extract('sha256', version.initialSalt, destination);
  const make = (label: string) => (direction: 'seal' | 'open') =>
    Keys.of({ ciphers, version, suite: aes128Gcm, direction }, expandLabel('sha256', secret, label, 32));
  return { client: make('client in'), server: make('server in') };
}
