/** In-memory CA, store and network, and clients that call the CA's ACME server without sockets. */
import { generateKeyPairSync, webcrypto, type KeyObject } from 'node:crypto';
import {
  AcmeServer,
  Book,
  obtain,
  problem,
  registerAccount,
  Session,
  type ClientRequest,
  type ClientResponse,
  type IdentifierPolicy,
  type Issue,
  type ObtainRequest,
  type RecordStore,
  type ServerSettings,
  type Solver,
  type AcmeTransport,
  type Validation,
} from '@sluice/acme';
import * as x509 from '@peculiar/x509';

/** Base URL of the test ACME server. */
export const base = 'https://ca.test/acme/local';

/** Stores records in a map. `beforeWrite` is called with the number of each write, and may throw to simulate a crash. */
export class MapStore implements RecordStore {
  readonly values: Map<string, string>;
  beforeWrite: (count: number) => void = () => {};
  writes = 0;

  constructor(values: Map<string, string> = new Map()) {
    this.values = values;
  }

  load(key: string): Promise<Buffer | null> {
    const value = this.values.get(key);
    return Promise.resolve(value === undefined ? null : Buffer.from(value));
  }

  async store(key: string, value: string): Promise<void> {
    await Promise.resolve();
    this.beforeWrite(++this.writes);
    this.values.set(key, value);
  }

  async delete(key: string): Promise<void> {
    await Promise.resolve();
    this.beforeWrite(++this.writes);
    this.values.delete(key);
  }

  list(prefix: string): Promise<readonly string[]> {
    return Promise.resolve([...this.values.keys()].filter((key) => key.startsWith(`${prefix}/`)));
  }
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Returns an issuing function that signs certificates with a new root. */
async function makeIssue(): Promise<Issue> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const name = new x509.Name([{ CN: ['Test Root'] }]);
  let serial = 1;
  return async ({ csr, names, lifetime }) => {
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: (++serial).toString(16).padStart(2, '0'),
      subject: [],
      issuer: name,
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + lifetime),
      publicKey: Buffer.from(new x509.Pkcs10CertificateRequest(csr).publicKey.rawData),
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
        await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    const pem = `${certificate.toString('pem')}\n`;
    return { certificate: pem, chain: pem };
  };
}

/** Creates a certificate signing request (DER) for the given names. */
export async function makeCsr(names: readonly string[], commonName = ''): Promise<Buffer> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: commonName === '' ? [] : new x509.Name([{ CN: [commonName] }]),
    keys,
    signingAlgorithm: algorithm,
    extensions:
      names.length === 0
        ? []
        : [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
  });
  return Buffer.from(request.rawData);
}

export function accountKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

/** Simulated network where validations look up key authorizations by `<type> <token>`. */
class FakeNetwork {
  readonly found = new Map<string, string>();
  readonly asked: Validation[] = [];
  /** Promise that must resolve before a validation completes. */
  gate: Promise<void> = Promise.resolve();

  async validate(validation: Validation): Promise<void> {
    this.asked.push(validation);
    await this.gate;
    if (this.found.get(`${validation.type} ${validation.token}`) !== validation.authorization)
      throw problem('incorrectResponse', 'the challenge is not there');
  }

  /** Returns a solver that publishes challenges of the given type on this network. */
  solver(type: Validation['type']): Solver {
    return ({ token, keyAuthorization }) => {
      this.found.set(`${type} ${token}`, keyAuthorization);
      return Promise.resolve(async () => void this.found.delete(`${type} ${token}`));
    };
  }
}

/** An ACME server with its test environment. */
export interface Bench {
  readonly server: AcmeServer;
  readonly book: Book;
  readonly store: MapStore;
  readonly network: FakeNetwork;
  readonly reports: string[];
  /** Recorded requests and responses. */
  readonly traffic: { readonly request: ClientRequest; readonly response: ClientResponse }[];
  session(signal?: AbortSignal): Session;
}

export interface BenchOptions {
  readonly store?: MapStore;
  readonly policy?: IdentifierPolicy;
  readonly challenges?: ServerSettings['challenges'];
  readonly lifetime?: number;
  readonly intercept?: (request: ClientRequest, response: ClientResponse) => ClientResponse;
}

export async function bench(options: BenchOptions = {}): Promise<Bench> {
  const store = options.store ?? new MapStore();
  const reports: string[] = [];
  const network = new FakeNetwork();
  const book = new Book(store, 'acme_server/local', (key) => reports.push(`damaged ${key}`));
  const server = new AcmeServer(book, {
    lifetime: options.lifetime ?? 12 * 3_600_000,
    challenges: options.challenges ?? ['dns-01', 'http-01', 'tls-alpn-01'],
    policy: options.policy ?? null,
    validator: network,
    issue: await makeIssue(),
    report: (level, message, fields) => reports.push(`${level} ${message} ${JSON.stringify(fields)}`),
  });
  const traffic: Bench['traffic'] = [];
  const intercept = options.intercept ?? ((_, response) => response);
  const transport: AcmeTransport = {
    async send(request) {
      const response = intercept(request, await deliver(server, request));
      traffic.push({ request, response });
      return response;
    },
    close: () => {},
  };
  const session = (signal: AbortSignal = AbortSignal.timeout(10_000)): Session =>
    new Session({ directory: `${base}/directory`, transport, signal });
  return { server, book, store, network, reports, traffic, session };
}

/** Obtains a certificate for a.example.com with a new account. Returns the certificate chain. */
export async function issue(all: Bench, more: Partial<ObtainRequest> = {}, signal?: AbortSignal): Promise<string> {
  const session = all.session(signal);
  const account = await registerAccount(session, { key: accountKey(), contact: [], externalAccount: null });
  const { chain } = await obtain(session, account, {
    identifiers: [{ type: 'dns', value: 'a.example.com' }],
    csr: await makeCsr(['a.example.com']),
    solvers: new Map([['http-01', all.network.solver('http-01')]]),
    profile: null,
    notAfter: null,
    replaces: null,
    chains: null,
    onFallback: () => {},
    ...more,
  });
  return chain;
}

/** Delivers a request to a server as if it had arrived over HTTP. */
export async function deliver(server: AcmeServer, request: ClientRequest): Promise<ClientResponse> {
  const { method, url, contentType = null, body = '' } = request;
  const response = await server.handle({
    method,
    base,
    path: url.slice(base.length),
    contentType,
    body: Buffer.from(body),
  });
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers)
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  return { status: response.status, headers, body: response.body };
}
