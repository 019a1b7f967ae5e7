/** A CA whose certificates and keys are kept in storage. */
import { readFile } from 'node:fs/promises';
import { messageOf, SluiceError, type Logger } from '@sluice/base';
import type { Storage } from '@sluice/contracts';
import { isIssuedBy, parseKeyPair, validityOf, type KeyPair } from '../certificates/key-pair.ts';
import { makeAuthorityCertificate, makeLeaf, publicKeyOfRequest } from '../certificates/make.ts';
import type { Authority, IssuedCertificate, IssueRequest } from './authority.ts';
import { KeyStore } from './key-store.ts';
import { rootLifetime, type AuthoritySettings, type KeyPairFiles } from './settings.ts';

const defaultLeafLifetime = 12 * 3_600_000;

interface Pairs {
  readonly root: KeyPair;
  readonly intermediate: KeyPair;
}

/** A CA that creates missing files, renews its intermediate, and issues certificates. */
export class StoredAuthority implements Authority {
  readonly id: string;
  readonly name: string;
  readonly rootCommonName: string;
  readonly intermediateCommonName: string;
  readonly #settings: AuthoritySettings;
  readonly #store: KeyStore;
  readonly #log: Logger;
  readonly #renewed: (authority: Authority) => void;
  #pairs: Pairs;
  #renewal: Promise<void> | null = null;

  private constructor(
    settings: AuthoritySettings,
    store: KeyStore,
    pairs: Pairs,
    { log, renewed }: { readonly log: Logger; readonly renewed: (authority: Authority) => void },
  ) {
    this.id = settings.id;
    this.name = settings.name;
    this.rootCommonName = settings.rootCommonName;
    this.intermediateCommonName = settings.intermediateCommonName;
    this.#settings = settings;
    this.#store = store;
    this.#log = log;
    this.#pairs = pairs;
    this.#renewed = renewed;
  }

  /** Loads a CA from storage, or creates it if it is missing. `renewed` is called for each new intermediate. */
  static async open(
    settings: AuthoritySettings,
    storage: Storage,
    log: Logger,
    renewed: (authority: Authority) => void = () => undefined,
  ): Promise<StoredAuthority> {
    const store = new KeyStore(storage, settings.id, log);
    const own: Own = {
      root: settings.root === null ? null : await readFiles(settings.root),
      intermediate: settings.intermediate === null ? null : await readFiles(settings.intermediate),
    };
    const pairs =
      (await load(settings, store, own)) ?? (await store.exclusive((held) => make(settings, held, own, log)));
    if (!isIssuedBy(pairs.intermediate.last, pairs.root.certificate))
      log.warn('intermediate certificate was not issued by the root certificate; clients will not trust it', {
        ca: settings.id,
      });
    return new StoredAuthority(settings, store, pairs, { log, renewed });
  }

  get rootCertificate(): string {
    return this.#pairs.root.pem;
  }

  get intermediateCertificate(): string {
    return this.#pairs.intermediate.pem;
  }

  chain(): string {
    return this.intermediateCertificate + this.rootCertificate;
  }

  async issue({ subject, names, lifetime, signWithRoot = false }: IssueRequest): Promise<IssuedCertificate> {
    if (names.length === 0) throw new SluiceError('ERR_PKI_NAMES', 'a certificate must have at least one name');
    const publicKey =
      'csr' in subject
        ? await publicKeyOfRequest(subject.csr)
        : subject.publicKey.export({ type: 'spki', format: 'der' });
    await this.maintain();
    const issuer = signWithRoot ? this.#pairs.root : this.#pairs.intermediate;
    const certificate = await makeLeaf({ publicKey, names, lifetime: lifetime ?? defaultLeafLifetime, issuer });
    return { certificate, chain: signWithRoot ? certificate : certificate + this.intermediateCertificate };
  }

  /** Renews the intermediate certificate if it is due. Called by a timer and before each issuance. Failures are logged. */
  async maintain(): Promise<void> {
    if (this.#settings.intermediate !== null || !isDue(this.#pairs.intermediate, this.#settings)) return;
    this.#renewal ??= this.#renew();
    try {
      await this.#renewal;
    } finally {
      this.#renewal = null;
    }
  }

  async #renew(): Promise<void> {
    try {
      const { root } = this.#pairs;
      // Replace a generated root that has expired, as Sluice also does at startup. A root can expire at runtime if the clock jumps.
      const isOver = this.#settings.root === null && hasExpired(root);
      const own: Own = { root: isOver ? null : root, intermediate: null };
      this.#pairs = await this.#store.exclusive((held) => make(this.#settings, held, own, this.#log));
      this.#log.info('renewed intermediate certificate', { ca: this.id });
      this.#renewed(this);
    } catch (error) {
      this.#log.error('failed to renew intermediate certificate', { ca: this.id, error });
    }
  }
}

/** User-provided key pairs, which Sluice neither stores nor creates. */
interface Own {
  readonly root: KeyPair | null;
  readonly intermediate: KeyPair | null;
}

/** Returns the key pairs. Returns `null` if any of them must be created. */
async function load(settings: AuthoritySettings, store: KeyStore, own: Own): Promise<Pairs | null> {
  const root = own.root ?? (await store.load('root'));
  if (root === null || (own.root === null && hasExpired(root))) return null;
  if (own.intermediate !== null) return { root, intermediate: own.intermediate };
  const intermediate = await store.load('intermediate');
  const usable = intermediate !== null && intermediate.key !== null && isIssuedBy(intermediate.last, root.certificate);
  return usable && !isDue(intermediate, settings) ? { root, intermediate } : null;
}

/** Creates missing key pairs while holding the lock, unless another process has created them in the meantime. */
async function make(settings: AuthoritySettings, store: KeyStore, own: Own, log: Logger): Promise<Pairs> {
  const there = await load(settings, store, own);
  if (there !== null) return there;
  const root = own.root ?? (await rootOf(settings, store, log));
  if (own.intermediate !== null) return { root, intermediate: own.intermediate };
  if (root.key === null)
    throw new SluiceError(
      'ERR_PKI_ROOT_KEY',
      `cannot create an intermediate certificate: the root private key is missing: ${settings.root?.certificate ?? store.keyOf('root', 'key')}`,
    );
  if (settings.intermediateLifetime >= validityOf(root.certificate).to - Date.now())
    log.warn('lifetime of the intermediate certificate exceeds that of the root certificate; shortening it', {
      ca: settings.id,
    });
  const made = await makeAuthorityCertificate({
    commonName: settings.intermediateCommonName,
    lifetime: settings.intermediateLifetime,
    issuer: root,
  });
  await store.save('intermediate', made);
  return { root, intermediate: made.pair };
}

async function rootOf(settings: AuthoritySettings, store: KeyStore, log: Logger): Promise<KeyPair> {
  const stored = await store.load('root');
  if (stored !== null && !hasExpired(stored)) return stored;
  await store.backUp('root');
  const made = await makeAuthorityCertificate({
    commonName: settings.rootCommonName,
    lifetime: rootLifetime,
    issuer: null,
  });
  await store.save('root', made);
  log.warn('created new root certificate; clients must be configured to trust it', {
    ca: settings.id,
    key: store.keyOf('root', 'crt'),
  });
  return made.pair;
}

function hasExpired({ certificate }: KeyPair): boolean {
  const { from, to } = validityOf(certificate);
  return Date.now() >= to || isTooEarly(from);
}

function isDue({ certificate }: KeyPair, { renewalWindowRatio }: AuthoritySettings): boolean {
  const { from, to } = validityOf(certificate);
  return Date.now() >= to - (to - from) * renewalWindowRatio || isTooEarly(from);
}

/**
 * Reports whether a certificate becomes valid more than a minute from now. This happens if the clock was ahead when the certificate was
 * created.
 */
function isTooEarly(from: number): boolean {
  return from > Date.now() + 60_000;
}

async function readFiles({ certificate, privateKey }: KeyPairFiles): Promise<KeyPair> {
  const pem = await readFile(certificate, 'utf8');
  const key = privateKey === null ? null : await readFile(privateKey);
  try {
    return parseKeyPair(pem, key);
  } catch (error) {
    throw new SluiceError('ERR_CERTIFICATE', `${certificate}: ${messageOf(error)}`, { cause: error });
  }
}
