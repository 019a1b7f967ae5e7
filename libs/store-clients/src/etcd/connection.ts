/** Connection to an etcd cluster. A call may try several nodes one after another, so calls must be idempotent. */
import { itemAt } from '@sluice/base';
import {
  Client,
  credentials,
  Metadata,
  status,
  type ChannelCredentials,
  type ClientDuplexStream,
  type ServiceError,
} from '@grpc/grpc-js';
import type { StoreFaults } from '../faults.ts';
import type { TlsFiles } from '../tls-files.ts';
import { methodOf, type Method } from './protocol.ts';
import { SecureCredentials } from './secure-credentials.ts';

/** Nodes and credentials. */
export interface EtcdAddress {
  /** Cluster nodes as `host:port`. */
  readonly endpoints: readonly string[];
  readonly username: string;
  readonly password: string;
  /** TLS files; `null` disables TLS. */
  readonly tls: TlsFiles | null;
}

/** A bidirectional gRPC stream with objects as requests. */
export type EtcdStream<T> = ClientDuplexStream<object, T>;

/** Time to wait for a node's response, in milliseconds. */
const timeout = 5000;

const channelOptions = {
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  // Keepalive interval, which detects unresponsive nodes. etcd closes connections that ping more often than every 5 s.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 500,
};

/** gRPC status codes that guarantee that a call had no effect. */
const refusals: ReadonlySet<number> = new Set([
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.PERMISSION_DENIED,
  status.RESOURCE_EXHAUSTED,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
  status.UNIMPLEMENTED,
  status.UNAUTHENTICATED,
]);

/** Connections to all nodes of a cluster. They are opened on first use. */
export class EtcdConnection {
  readonly #address: EtcdAddress;
  readonly #faults: StoreFaults;
  readonly #clients: (Client | null)[];
  #current = 0;
  #token: Promise<string> | null = null;

  constructor(address: EtcdAddress, faults: StoreFaults) {
    this.#address = address;
    this.#faults = faults;
    this.#clients = address.endpoints.map(() => null);
  }

  /** Calls a read-only or idempotent method. */
  async call<T>(service: string, name: string, request: object): Promise<T> {
    const { error, response } = await this.#attempt<T>(methodOf(service, name), request);
    if (response !== null) return response;
    throw this.#refusal(error);
  }

  /**
   * Calls a method when the caller must know whether the call took effect. Rejects with the fault `unknown` if the call may have taken
   * effect, or may still take effect.
   */
  async decide<T>(service: string, name: string, request: object): Promise<T> {
    const { error, response, uncertain } = await this.#attempt<T>(methodOf(service, name), request);
    if (response !== null) return response;
    throw uncertain ? this.#faults.unknown(error) : this.#refusal(error);
  }

  /** Opens a stream to the node that responded most recently. Rejects if this node has no leader. */
  async stream<T>(service: string, name: string): Promise<EtcdStream<T>> {
    const { path, requestSerialize, responseDeserialize } = methodOf(service, name);
    const metadata = await this.#metadata();
    return this.#client(this.#current).makeBidiStreamRequest(
      path,
      requestSerialize,
      (bytes) => responseDeserialize(bytes) as T,
      metadata,
    );
  }

  /** Selects the next node for later calls and streams. */
  turn(): void {
    this.#current = (this.#current + 1) % this.#clients.length;
  }

  close(): void {
    for (const client of this.#clients) client?.close();
  }

  async #attempt<T>(method: Method, request: object): Promise<Attempt<T>> {
    let uncertain = false;
    for (let tried = 1; ; tried++) {
      try {
        return { response: await this.#once<T>(method, request), error: null, uncertain };
      } catch (caught) {
        const error = caught as ServiceError;
        const refused = refusals.has(error.code);
        uncertain ||= !refused && wasSent(error);
        // Get a new token: tokens expire, and a node loses them when it restarts.
        if (error.code === status.UNAUTHENTICATED && this.#token !== null && tried === 1) this.#token = null;
        else if (refused || tried >= this.#clients.length) return { response: null, error, uncertain };
        else this.turn();
      }
    }
  }

  async #once<T>({ path, requestSerialize, responseDeserialize }: Method, request: object): Promise<T> {
    const metadata = await this.#metadata();
    return this.#send<T>(path, [requestSerialize, (bytes) => responseDeserialize(bytes) as T], [request, metadata]);
  }

  #send<T>(
    path: string,
    [serialize, deserialize]: readonly [(value: object) => Buffer, (bytes: Buffer) => T],
    [request, metadata]: readonly [object, Metadata],
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + timeout };
      const client = this.#client(this.#current);
      client.makeUnaryRequest(path, serialize, deserialize, request, metadata, options, (error, response) => {
        if (error === null && response !== undefined) resolve(response);
        else reject(error ?? this.#faults.refused('etcd: call ended without a response'));
      });
    });
  }

  async #metadata(): Promise<Metadata> {
    const metadata = new Metadata();
    metadata.set('hasleader', 'true');
    if (this.#address.username === '') return metadata;
    this.#token ??= this.#authenticate();
    try {
      metadata.set('token', await this.#token);
    } catch (error) {
      this.#token = null;
      throw error;
    }
    return metadata;
  }

  async #authenticate(): Promise<string> {
    const { path, requestSerialize, responseDeserialize } = methodOf('Auth', 'Authenticate');
    const { username, password } = this.#address;
    const { token } = await this.#send(
      path,
      [requestSerialize, (bytes) => responseDeserialize(bytes) as { readonly token: string }],
      [{ name: username, password }, new Metadata()],
    );
    return token;
  }

  #refusal(error: ServiceError | null): Error {
    return this.#faults.refused(`etcd: ${error?.details ?? 'no response'}`, error);
  }

  #client(index: number): Client {
    const known = this.#clients[index];
    if (known !== null && known !== undefined) return known;
    const endpoint = itemAt(this.#address.endpoints, index);
    const client = new Client(endpoint, this.#credentials(endpoint), channelOptions);
    this.#clients[index] = client;
    return client;
  }

  #credentials(endpoint: string): ChannelCredentials {
    const { tls } = this.#address;
    return tls === null ? credentials.createInsecure() : new SecureCredentials(endpoint, tls);
  }
}

/** Result of a call. `uncertain` is true if a node may have executed the call without responding. */
interface Attempt<T> {
  readonly response: T | null;
  readonly error: ServiceError | null;
  readonly uncertain: boolean;
}

/** Reports whether a request may have been sent. If there was no connection, it was not sent. */
function wasSent({ code, details }: ServiceError): boolean {
  if (code === status.DEADLINE_EXCEEDED) return details.includes('remote_addr=');
  return !details.startsWith('No connection established') && !details.startsWith('Name resolution failed');
}
