/** State of a `reverse_proxy` directive during parsing. */
import { compact, Draft, moduleObject, responseHandlers, type Dispenser } from '@sluice/caddyfile';
import { isObject, jsonEqual, type Json, type JsonObject } from '@sluice/base';
import { HeaderOperations } from '../../headers/header-operations.ts';
import { readUpstreams } from './upstream-address.ts';

/** Collects the fields of a reverse proxy, including fields that several options set together. */
export class ProxyDraft extends Draft {
  readonly up = new HeaderOperations(false);
  readonly down = new HeaderOperations(true);
  readonly #upstreams: Json[] = [];
  #scheme: string | null = null;
  /** Name and options of the transport, or `null` if it is not configured. */
  transport: { readonly name: string; readonly options: JsonObject } | null = null;

  /** Adds an upstream. All upstreams of a proxy must have the same scheme. */
  addUpstream(text: string, reader: Dispenser): void {
    const { scheme, upstreams } = readUpstreams(text, reader);
    if (/^\d+$/.test(text))
      reader.modules.warn(reader.token, `'${text}' is a host name here: use :${text} for the port, or host:${text}`);
    if (this.#scheme !== null && this.#scheme !== '' && scheme !== this.#scheme) {
      throw reader.error(
        `parsing upstream '${text}': for now, all proxy upstreams must use the same scheme (transport protocol); expecting '${this.#scheme}://' but got '${scheme}://'`,
      );
    }
    if (scheme !== '' || this.#scheme === null) this.#scheme = scheme;
    this.#upstreams.push(...upstreams);
  }

  /** Returns the JSON options of the handler. */
  json(reader: Dispenser): JsonObject {
    const transport = this.#transportJson(reader);
    if (transport !== null) this.put(['transport'], transport);
    this.put(['upstreams'], this.#upstreams);
    this.put(['headers'], compact({ request: this.up.json(), response: this.down.json() }));
    this.put(['handle_response'], responseHandlers(this.fields).finish());
    return this.fields;
  }

  #transportJson(reader: Dispenser): Json {
    const scheme = this.#scheme ?? '';
    const name = this.transport?.name ?? 'http';
    let options: JsonObject = this.transport?.options ?? {};
    if (name === 'http') {
      const tls = options['tls'];
      if (scheme === 'http' && tls !== undefined) {
        throw reader.error('upstream address scheme is HTTP but transport is configured for HTTP+TLS (HTTPS)');
      }
      if (scheme === 'https') options = { ...options, tls: isObject(tls) ? tls : {} };
      if (scheme === 'h2c') options = { ...options, versions: ['h2c', '2'] };
      return jsonEqual(options, {}) ? null : moduleObject('protocol', name, options);
    }
    if (scheme === 'https') {
      throw reader.error(`upstreams are configured for HTTPS but transport module does not support TLS: ${name}`);
    }
    return moduleObject('protocol', name, options);
  }
}
