/** Provisions an issuer without the `tls` app. The test provides the issuer's environment. */
import { webcrypto, X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { register as pki } from '@sluice/pki-app';
import { apps, defineModule, options, inlineModule, Registry, type Token } from '@sluice/registry';
import { createLogger, type JsonObject } from '@sluice/base';
import { Runtime } from '@sluice/reconciler';
import { dnsProviders, type DnsProvider, type Storage } from '@sluice/contracts';
import { MemoryStorage, registerStorage } from '@sluice/testing';
import {
  certificateStorageToken,
  challengeBoardToken,
  issuers,
  type CertificateOrder,
  type CertificatePair,
  type ChallengeBoard,
  type Issuer,
} from '@sluice/tls-app';
import { register } from '@sluice/tls.issuance';

/** Records added and removed challenges but does not serve them. Issuers must therefore listen themselves. */
class FakeBoard implements ChallengeBoard {
  readonly put: string[] = [];
  up = 0;

  http(name: string): Promise<() => Promise<void>> {
    return this.#put(`http ${name}`);
  }

  tlsAlpn(name: string, _certificate: CertificatePair): Promise<() => Promise<void>> {
    return this.#put(`tls-alpn ${name}`);
  }

  #put(what: string): Promise<() => Promise<void>> {
    this.put.push(what);
    this.up++;
    return Promise.resolve(() => Promise.resolve(void this.up--));
  }
}

/** An issuer with its dependencies. The test must close it. */
export interface Bench {
  readonly issuer: Issuer;
  readonly storage: MemoryStorage;
  readonly board: FakeBoard;
  readonly logged: readonly string[];
  close(): Promise<void>;
}

/** Options of {@link provisionIssuer}. */
export interface BenchOptions {
  readonly storage?: MemoryStorage;
  readonly dns?: DnsProvider;
  readonly services?: readonly (readonly [Token<unknown>, unknown])[];
}

/** Provisions an issuer in the same way as the `tls` app. */
export async function provisionIssuer(issuer: JsonObject, given: BenchOptions = {}): Promise<Bench> {
  const storage = given.storage ?? new MemoryStorage();
  const board = new FakeBoard();
  const logged: string[] = [];
  let loaded: Issuer | null = null;
  const host = defineModule(apps, {
    name: 'host',
    help: 'Instead of the app tls.',
    config: options({ issuer: inlineModule('', issuers, 'module') }),
    async provision(config, context) {
      context.provide(certificateStorageToken, storage);
      context.provide(challengeBoardToken, board);
      for (const [key, value] of given.services ?? []) context.provide(key, value);
      loaded = await context.loadInline(issuers, config.issuer ?? {}, 'module', 'issuer');
      return {};
    },
  });
  const dns = defineModule(dnsProviders, {
    name: 'test',
    help: 'Records of the test.',
    config: options({}),
    provision: () => given.dns ?? { append: () => Promise.resolve(), remove: () => Promise.resolve() },
  });
  const runtime = runtimeOf(new Registry().use(register).add(host).add(dns), storage, logged);
  runtime.commit(await runtime.prepare({ storage: { module: 'memory' }, apps: { host: { issuer } } }));
  if (loaded === null) throw new Error('the issuer was not loaded');
  return { issuer: loaded, storage, board, logged, close: () => runtime.close() };
}

function runtimeOf(registry: Registry, storage: Storage, logged: string[]): Runtime {
  const log = createLogger({ enabled: () => true, write: ({ message }) => logged.push(message) });
  registry.use(registerStorage(storage)).use(pki);
  return new Runtime({ registry, roles: { control: true, traffic: false }, log });
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Returns an order for the given names, as the `tls` app creates it. */
export async function orderFor(
  names: readonly string[],
  more: Partial<CertificateOrder> = {},
): Promise<CertificateOrder> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const items = names.map((value) => ({ type: /^[\d.]+$/.test(value) ? ('ip' as const) : ('dns' as const), value }));
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.SubjectAlternativeNameExtension(items)],
  });
  return {
    names,
    csr: Buffer.from(request.rawData),
    attempt: 0,
    replaces: null,
    signal: AbortSignal.timeout(30_000),
    ...more,
  };
}

/** Returns the subject alternative names of the first certificate in a chain. */
export function namesOf(chain: string): string | undefined {
  return new X509Certificate(chain).subjectAltName;
}
