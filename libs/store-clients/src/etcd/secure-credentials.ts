/**
 * TLS credentials for gRPC channels.
 *
 * The gRPC library sends the endpoint as the server name even if it is an IP address, which RFC 6066 §3 forbids and Node rejects. These
 * credentials send only host names as server names. They always verify the certificate against the endpoint.
 */
import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect, createSecureContext, type SecureContext } from 'node:tls';
import { CallCredentials, ChannelCredentials, type experimental } from '@grpc/grpc-js';
import { readEndpoint } from '../endpoint.ts';
import type { TlsFiles } from '../tls-files.ts';

/** TLS credentials for connections to one endpoint. */
export class SecureCredentials extends ChannelCredentials {
  readonly #host: string;
  readonly #context: SecureContext;

  constructor(endpoint: string, { ca, certificate, key }: TlsFiles) {
    super();
    this.#host = readEndpoint(endpoint, 2379).host;
    this.#context = createSecureContext({
      ...(ca === null ? {} : { ca }),
      ...(certificate === null ? {} : { cert: certificate }),
      ...(key === null ? {} : { key }),
    });
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(
    _target: experimental.GrpcUri,
    _options: object,
    callCredentials: CallCredentials = CallCredentials.createEmpty(),
  ): experimental.SecureConnector {
    return {
      connect: async (socket) => ({ socket: await this.#secure(socket), secure: true }),
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => callCredentials,
      destroy: () => {},
    };
  }

  async #secure(socket: Socket): Promise<Socket> {
    const host = this.#host;
    const secured = connect({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext: this.#context,
      ALPNProtocols: ['h2'],
    });
    await once(secured, 'secureConnect');
    return secured;
  }
}
