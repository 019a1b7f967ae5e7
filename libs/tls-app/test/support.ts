/** The `tls` app with a test CA, loaders, a storage and a TLS port. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, KeyObject, webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer, isIP, type AddressInfo, type Server, type Socket } from 'node:net';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import {
  certificateLoaders,
  issuers,
  permissions,
  ticketKeySources,
  register,
  type CertificateOrder,
  type CertificatePair,
  type LoadedCertificate,
  type RenewalWindow,
} from '@sluice/tls-app';
import { PolledListener, supportsPolledSockets } from '@sluice/native';
import { nativeTls } from '../src/policies/native-choice.ts';
import { apps, defineModule, json, listOptions, options, Registry, string, text } from '@sluice/registry';
import { AcceptedSocket, createLogger, type Json, type JsonArray, type LogEntry, polledSockets } from '@sluice/base';
import { Runtime, storageSection } from '@sluice/reconciler';
import { storages, tlsApp, type TlsEstablished, type TlsInfo, type TlsTermination } from '@sluice/contracts';
import { MemoryStorage } from '@sluice/testing';
import { Slab, Tally, TallyStore, threadTallyToken } from '@sluice/threads';
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const day = 86_400_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Parameters of a test certificate. */
export interface LeafOptions {
  readonly key?: 'p256' | 'rsa';
  readonly lifetime?: number;
  readonly notBefore?: number;
  readonly organization?: string;
  /** URL of the OCSP responder. */
  readonly responder?: string;
  readonly usage?: string;
}

/** An in-memory CA. */
export class TestAuthority {
  readonly pem: string;
  /** Private key in PEM format (PKCS#8). */
  readonly key: string;
  readonly #keys: webcrypto.CryptoKeyPair;
  #serial = 1000;

  private constructor(pem: string, keys: webcrypto.CryptoKeyPair) {
    this.pem = pem;
    this.key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
    this.#keys = keys;
  }

  static async make(): Promise<TestAuthority> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const root = await X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name: 'CN=Test authority',
      notBefore: new Date(Date.now() - day),
      notAfter: new Date(Date.now() + 365 * day),
      signingAlgorithm: algorithm,
      keys,
      extensions: [new BasicConstraintsExtension(true, undefined, true)],
    });
    return new TestAuthority(`${root.toString('pem')}\n`, keys);
  }

  async sign(
    publicKey: webcrypto.CryptoKey,
    names: readonly string[],
    { lifetime = day, notBefore = Date.now() - 60_000, organization, responder, usage }: LeafOptions = {},
  ): Promise<string> {
    const certificate = await X509CertificateGenerator.create({
      serialNumber: (++this.#serial).toString(16),
      subject: organization === undefined ? '' : `O=${organization}`,
      issuer: 'CN=Test authority',
      notBefore: new Date(notBefore),
      notAfter: new Date(notBefore + lifetime),
      signingKey: this.#keys.privateKey,
      publicKey,
      signingAlgorithm: algorithm,
      extensions: [
        new SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
          organization === undefined,
        ),
        ...(usage === undefined ? [] : [new ExtendedKeyUsageExtension([usage])]),
        ...(responder === undefined ? [] : [new AuthorityInfoAccessExtension({ ocsp: [responder] })]),
      ],
    });
    return `${certificate.toString('pem')}\n`;
  }

  /** Creates a certificate with its key. */
  async leaf(names: readonly string[], more: LeafOptions = {}): Promise<CertificatePair> {
    const { privateKey } =
      more.key === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const spki = createPublicKey(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })));
    const imported = await webcrypto.subtle.importKey(
      'spki',
      new Uint8Array(spki.export({ type: 'spki', format: 'der' })),
      more.key === 'rsa' ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } : algorithm,
      true,
      ['verify'],
    );
    const chain = await this.sign(imported, names, more);
    return { chain, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  }
}

/** Test environment. */
export class Bench {
  readonly authority: TestAuthority;
  readonly storage: MemoryStorage;
  /** Counters of the thread. */
  readonly tally = new Tally(
    new TallyStore().slabsOf(0).map((memory) => new Slab(memory)),
    () => undefined,
  );
  readonly orders: string[] = [];
  readonly logged: LogEntry[] = [];
  readonly infos: TlsInfo[] = [];
  /** Sockets passed to the protocol engine. */
  readonly sockets: Socket[] = [];
  /** Certificates returned by the `memory` loader. */
  loaded: readonly LoadedCertificate[] = [];
  /** Signals that {@link loaded} has changed. */
  reload: (() => void) | null = null;
  /** Ends connections after one line. */
  ends = true;
  /** Expects a second TLS handshake within the connection, if the first one is a layer of the socket. */
  nests = false;
  /** Changes the session ticket keys. */
  rotate: ((keys: readonly Buffer[]) => void) | null = null;
  /** Names of issuers that fail. */
  readonly failing = new Set<string>();
  /** Failures are permanent. */
  permanent = false;
  readonly permitted = new Set<string>();
  lifetime = day;
  /** OCSP responder URL in issued certificates; `null` means none. */
  responder: string | null = null;
  /** Renewal window suggested by issuers; `null` means none. */
  window: RenewalWindow | null = null;
  readonly runtime: Runtime;
  #termination: TlsTermination | null = null;
  #server: Server | null = null;
  #polled: PolledListener | null = null;
  readonly #sockets: Socket[] = [];

  constructor(authority: TestAuthority, storage: MemoryStorage = new MemoryStorage()) {
    this.authority = authority;
    this.storage = storage;
    const log = createLogger({ enabled: () => true, write: (entry) => this.logged.push(entry) });
    const registry = new Registry().addSection(storageSection).use(register);
    for (const module of this.#modules()) registry.add(module);
    const services = new Map([[threadTallyToken, this.tally]]);
    this.runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log, services });
  }

  async load(tls: Json, policies: Json = [{}]): Promise<void> {
    const document = { storage: { module: 'memory' }, apps: { tls, host: { policies } } };
    this.runtime.commit(await this.runtime.prepare(document));
  }

  /** Listens on a TLS port that responds with one line. */
  async listen(): Promise<number> {
    const take = (socket: Socket): void => {
      socket.on('error', () => undefined);
      this.#sockets.push(socket);
      const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
      const peer = { remoteAddress, remotePort, localAddress, localPort };
      const established: TlsEstablished = (secure, info) => {
        if (this.nests && secure === socket) return this.#termination?.accept(secure, peer, established);
        this.infos.push(info);
        this.sockets.push(secure);
        secure.on('error', () => undefined);
        if (this.ends) secure.end('hello\n');
        else secure.write('hello\n');
        secure.resume();
      };
      this.#termination?.accept(socket, peer, established);
    };
    const server = createServer({ allowHalfOpen: true }, take);
    this.#server = server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // Accepts connections as the listeners of the `http` app do, because their sockets support the bindings.
    const { _handle: handleOfServer } = server as unknown as { _handle: { fd: number } };
    if (polledSockets.allowed && supportsPolledSockets()) {
      this.#polled = new PolledListener(handleOfServer.fd, take);
      // Waits, because libuv keeps accepting connections until the next event loop turns.
      for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    } else if (nativeTls.allowed)
      (server as unknown as { _handle: { onconnection: unknown } })._handle.onconnection = (
        _: number,
        handle: object,
      ) => take(new AcceptedSocket(handle));
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#polled?.stop();
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    await this.runtime.close();
  }

  #modules() {
    const issuer = (name: string) =>
      defineModule(issuers, {
        name,
        help: 'Issues from memory.',
        config: options({}),
        provision: () => ({
          storageKey: name,
          issue: (order) => this.#issue(name, order),
          ...(this.window === null ? {} : { renewalWindow: () => Promise.resolve(this.window) }),
        }),
      });
    return [
      issuer('internal'),
      issuer('acme'),
      issuer('other'),
      defineModule(storages, { name: 'memory', help: 'A map.', config: options({}), provision: () => this.storage }),
      defineModule(permissions, {
        name: 'listed',
        help: 'Allows what the test says.',
        config: options({}),
        provision: () => ({ allows: (name) => Promise.resolve(this.permitted.has(name)) }),
      }),
      defineModule(ticketKeySources, {
        name: 'standard',
        help: 'One key for all.',
        config: options({}),
        provision: () => ({
          start: (_settings, changed) => {
            this.rotate = changed;
            return Promise.resolve([Buffer.alloc(48, 7)]);
          },
        }),
      }),
      defineModule(certificateLoaders, {
        name: 'memory',
        help: 'What the test has.',
        config: options({ round: string('Another value is another configuration.') }),
        provision: () => ({
          load: () => Promise.resolve(this.loaded),
          watch: (changed) => {
            this.reload = () => changed(this.loaded);
            return () => {
              this.reload = null;
            };
          },
        }),
      }),
      defineModule(certificateLoaders, {
        name: 'automate',
        help: 'Names.',
        config: listOptions('Names.', text()),
        provision: (names) => ({ names, load: () => Promise.resolve([]) }),
      }),
      defineModule(apps, {
        name: 'host',
        help: 'Has connection policies.',
        config: options({ policies: json('The policies.') }),
        provision: async ({ policies }, context) => {
          const tls = await context.app(tlsApp);
          const made = await tls.termination(
            policies as JsonArray,
            { protocols: ['h2', 'http/1.1'] },
            context,
            'policies',
          );
          context.onCommit(() => {
            this.#termination = made;
          });
          return {};
        },
      }),
    ];
  }

  async #issue(issuer: string, { csr, names }: CertificateOrder): Promise<{ chain: string; data: Json }> {
    this.orders.push(`${issuer} ${names.join(' ')}`);
    if (this.failing.has(issuer))
      throw this.permanent ? Object.assign(new Error('never'), { permanent: true }) : new Error('not today');
    const request = new Pkcs10CertificateRequest(new Uint8Array(csr));
    if (!(await request.verify())) throw new Error('the request is not signed');
    const { lifetime, responder } = this;
    const more = { lifetime, ...(responder === null ? {} : { responder }) };
    return {
      chain: (await this.authority.sign(await request.publicKey.export(), names, more)) + this.authority.pem,
      data: { by: issuer },
    };
  }
}

/** Result of a handshake. */
export interface Outcome {
  readonly error: string | null;
  readonly text: string;
  readonly names: string;
  readonly fingerprint: string;
  readonly protocol: string;
  readonly version: string;
  readonly resumed: boolean;
  readonly sessions: readonly Buffer[];
  /** Stapled OCSP response, if the client requested it. */
  readonly staple: Buffer | null;
}

/** Performs a handshake and reads the response. */
export async function shakeHands(port: number, servername: string, more: ConnectionOptions = {}): Promise<Outcome> {
  const socket: TLSSocket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false, ...more });
  const outcome = { error: null, text: '', names: '', fingerprint: '', protocol: '', version: '', resumed: false };
  const sessions: Buffer[] = [];
  let staple: Buffer | null = null;
  socket.on('OCSPResponse', (response: Buffer | null) => (staple = response));
  const set = (values: Partial<Outcome>): unknown => Object.assign(outcome, values);
  socket.on('session', (session) => sessions.push(session));
  socket.on('secureConnect', () => {
    const { subjectaltname = '', fingerprint256 } = socket.getPeerCertificate();
    const protocol = socket.alpnProtocol || '';
    set({ names: subjectaltname, fingerprint: fingerprint256, protocol });
    set({ version: socket.getProtocol() ?? '', resumed: socket.isSessionReused() });
  });
  socket.setEncoding('utf8').on('data', (part: string) => set({ text: outcome.text + part }));
  socket.on('error', (error: NodeJS.ErrnoException) => set({ error: error.code ?? error.message }));
  await once(socket, 'close').catch(() => undefined);
  return { ...outcome, sessions, staple };
}

/** Waits until a condition is true. */
export async function until(holds: () => boolean, timeout = 15_000): Promise<void> {
  const end = Date.now() + timeout;
  while (!holds()) {
    if (Date.now() > end) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
