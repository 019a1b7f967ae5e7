/** HTTP transport of one reverse proxy. Finds or creates the origin for an address in the connection pool. */
import {
  type DescribedRequest,
  type DialAddress,
  type Exchange,
  type HttpTemplate,
  type ProxiedClient,
  type Transport,
  type UpstreamCall,
  type UpstreamRequest,
  type UpstreamSink,
  compileText,
} from '@sluice/http-app';
import type { ClientPool } from './client-pool.ts';
import type { DialTarget } from './dialing.ts';
import { sendsAbsoluteTargets } from './forward-proxy.ts';
import { fieldsOf, requestFields } from './http2-fields.ts';
import type { Origin } from './origin.ts';
import { asksForGzip, authorityOf, targetOf, writtenFields } from './request-head.ts';

const noClient: ProxiedClient = { address: '', port: 0 };

export class HttpTransport implements Transport {
  readonly usesTls: boolean;
  readonly #pool: ClientPool;
  readonly #serverName: HttpTemplate;
  /** True if all connections to an address are interchangeable, because they don't depend on the request. */
  readonly #plain: boolean;

  constructor(pool: ClientPool) {
    this.#pool = pool;
    this.usesTls = pool.settings.tls !== null;
    this.#serverName = compileText(pool.settings.tls?.serverName ?? '', 'empty');
    this.#plain = this.#serverName.constant !== null && pool.settings.proxyProtocol === 0;
  }

  send(address: DialAddress, request: UpstreamRequest, sink: UpstreamSink): UpstreamCall {
    const origin = this.#plain
      ? (this.#pool.find(address.text) ?? this.#add(address.text, address, '', null))
      : this.#special(address, request.exchange);
    return origin.send(request, sink);
  }

  describe(address: DialAddress, request: UpstreamRequest): DescribedRequest {
    const { h2c, http3, style } = this.#pool.settings;
    const decodesGzip = asksForGzip(request, style);
    const call = { request, host: authorityOf(request, address), asksForGzip: decodesGzip };
    const headers =
      h2c || http3 ? fieldsOf(requestFields(request, decodesGzip)) : writtenFields(call, this.#prefix(address), style);
    return { uri: targetOf(request), host: call.host, headers, decodesGzip };
  }

  /** Returns an origin for connections with a specific server name, or with a specific client in the PROXY header. */
  #special(address: DialAddress, exchange: Exchange | null): Origin {
    const name = this.#serverName.constant ?? (exchange === null ? '' : this.#serverName.expand(exchange));
    const client = this.#pool.settings.proxyProtocol === 0 ? null : clientOf(exchange);
    const key = `${address.text} ${name} ${client === null ? '' : `${client.address} ${client.port}`}`;
    return this.#pool.find(key) ?? this.#add(key, address, name, client);
  }

  #add(key: string, address: DialAddress, name: string, client: ProxiedClient | null): Origin {
    const target: DialTarget = {
      address,
      secure: this.#isSecure(address),
      serverName: name || (this.#serverName.constant ?? '') || address.host,
      client,
    };
    return this.#pool.add({ key, address, target, targetPrefix: this.#prefix(address) });
  }

  #isSecure({ port }: DialAddress): boolean {
    const { tls } = this.#pool.settings;
    return tls !== null && !tls.exceptPorts.has(port);
  }

  /** Returns the prefix that turns request targets into absolute URLs for a forward proxy. Empty if the targets remain relative. */
  #prefix(address: DialAddress): string {
    const { forwardProxy } = this.#pool.settings;
    const isAbsolute =
      forwardProxy !== null &&
      address.network !== 'unix' &&
      sendsAbsoluteTargets(forwardProxy, this.#isSecure(address));
    return isAbsolute ? `http://${address.hostPort}` : '';
  }
}

/** Returns the client to report in the PROXY header, as determined from trusted proxies. */
function clientOf(exchange: Exchange | null): ProxiedClient {
  return exchange === null ? noClient : { address: exchange.clientIp, port: exchange.connection.remotePort };
}
