import { randomBytes } from 'node:crypto';
import { openDatagramClient, type DatagramPort } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { Http3ServerConnection, type Http3Handler, type Http3Stream } from '@sluice/http3';
import { nativeCiphers, QuicTls, TlsContext, type TlsContextOptions } from '@sluice/native';
import { Endpoint, type ConnectionOptions } from '@sluice/quic';

type RequestFields = Parameters<Http3Handler['onRequest']>[1];

/** A request that the server has received completely. */
export interface SeenRequest {
  readonly stream: Http3Stream;
  readonly fields: RequestFields;
  readonly body: Buffer;
  readonly trailers: HeaderMap | null;
  readonly connection: TestConnection;
}

export type Respond = (request: SeenRequest) => void;

export class TestConnection {
  readonly http: Http3ServerConnection;
  /**
   * If set, this function is called when the head of a request arrives. If it returns true, the server does not wait for the end of the
   * request.
   */
  onHead: ((stream: Http3Stream, fields: RequestFields) => boolean) | null = null;

  constructor(respond: Respond, tls: () => QuicTls | null, seen: Seen) {
    this.http = new Http3ServerConnection({
      fieldLimits: { bytes: 64 * 1024, count: 200, kept: new Set() },
      onHandshakeComplete: () => {
        seen.certificates.push(tls()?.peerCertificate ?? null);
        seen.resumed.push(tls()?.resumed ?? false);
      },
      onRequest: (stream, fields) => {
        seen.requests += 1;
        stream.owner = { ...silent, onClose: (code) => seen.closeCodes.push(code) };
        if (this.onHead?.(stream, fields) === true) return;
        const chunks: Buffer[] = [];
        stream.owner = {
          ...silent,
          onData: (bytes) => {
            chunks.push(Buffer.from(bytes));
            stream.credit(bytes.length);
          },
          onEnd: (trailers) => respond({ stream, fields, body: Buffer.concat(chunks), trailers, connection: this }),
          onClose: (code) => seen.closeCodes.push(code),
        };
      },
      onStreamClosed: () => undefined,
      onAbuse: () => undefined,
      onClosed: () => (seen.closed += 1),
      fault: (error) => {
        throw error as Error;
      },
    });
  }
}

const silent = {
  onData: () => undefined,
  onEnd: () => undefined,
  onSent: () => undefined,
  onClose: () => undefined,
  fault: (error: unknown) => {
    throw error as Error;
  },
};

interface Seen {
  requests: number;
  closed: number;
  readonly closeCodes: number[];
  readonly certificates: (Buffer | null)[];
  readonly resumed: boolean[];
}

/** A test HTTP/3 server on a UDP port of 127.0.0.1. */
export class TestHttp3Server implements Seen {
  requests = 0;
  closed = 0;
  readonly closeCodes: number[] = [];
  readonly certificates: (Buffer | null)[] = [];
  /** For each connection, true if the TLS session was resumed. */
  readonly resumed: boolean[] = [];
  readonly connections: TestConnection[] = [];
  readonly #port: DatagramPort;
  readonly #endpoint: Endpoint;
  readonly #context: TlsContext;

  private constructor(
    port: DatagramPort,
    respond: Respond,
    {
      tls,
      limits,
      prepare,
    }: { tls: TlsContextOptions; limits: ConnectionOptions; prepare: (of: TestConnection) => void },
  ) {
    this.#port = port;
    this.#context = new TlsContext(tls);
    this.#endpoint = new Endpoint({
      transport: port,
      ciphers: nativeCiphers,
      connections: limits,
      acceptor: {
        accept: () => {
          let session: QuicTls | null = null;
          const connection = new TestConnection(respond, () => session, this);
          prepare(connection);
          this.connections.push(connection);
          return {
            user: connection.http,
            tls: (parameters) => (session = new QuicTls({ context: this.#context, parameters })),
          };
        },
      },
      resetKey: randomBytes(32),
      tokenKey: randomBytes(32),
      ...(port.memory === undefined ? {} : { memory: port.memory }),
    });
    port.start(this.#endpoint);
  }

  static async listen(
    respond: Respond,
    { cert, key }: { readonly cert: string; readonly key: string },
    {
      prepare = () => undefined,
      streams = 100,
      ...tls
    }: Partial<TlsContextOptions> & { prepare?: (of: TestConnection) => void; streams?: number } = {},
  ): Promise<TestHttp3Server> {
    const port = await openDatagramClient('127.0.0.1', false);
    return new TestHttp3Server(port, respond, {
      tls: {
        isServer: true,
        certificate: cert,
        key,
        protocols: ['h3'],
        authorities: [],
        verification: 'none',
        ticketKeys: null,
        ...tls,
      },
      limits: {
        idleTimeout: 30_000,
        maxData: 1 << 20,
        maxStreamData: 1 << 18,
        maxStreamsBidi: streams,
        maxStreamsUni: 10,
      },
      prepare,
    });
  }

  get dial(): string {
    return `127.0.0.1:${this.#port.port}`;
  }

  losePackets(): () => void {
    this.#port.stop();
    return () => this.#port.start(this.#endpoint);
  }

  async close(): Promise<void> {
    this.#endpoint.flush();
    this.#endpoint.close();
    this.#context.free();
    await this.#port.close();
  }
}
