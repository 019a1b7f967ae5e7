/** Request data in templates. The members have the same names as in Go's `net/http` and `net/url`. */
import type { Exchange } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { canonicalHeaderName } from '@sluice/base';
import { goType, TypedNumber, typedList, typedMap } from '@sluice/text-template';

function typeName(prototype: object, name: string): void {
  Object.defineProperty(prototype, goType, { value: name });
}

class Values extends Map<string, string[]> {
  constructor() {
    super();
    typedMap(this, '[]string');
  }

  /** Appends a value. The name is not canonicalized. */
  push(name: string, value: string): void {
    const list = this.get(name);
    if (list === undefined) this.set(name, typedList([value], 'string'));
    else list.push(value);
  }
}

/** HTTP header fields, keyed by canonical name. */
export class GoHeader extends Values {
  static {
    typeName(GoHeader.prototype, 'http.Header');
  }

  static of(headers: HeaderMap): GoHeader {
    const fields = new GoHeader();
    for (const [name, value] of headers) fields.push(canonicalHeaderName(name), value);
    return fields;
  }

  Get(name: unknown): string {
    return this.get(canonicalHeaderName(textOf(name)))?.[0] ?? '';
  }

  Values(name: unknown): string[] {
    return this.get(canonicalHeaderName(textOf(name))) ?? typedList([], 'string');
  }
}

class GoValues extends Values {
  static {
    typeName(GoValues.prototype, 'url.Values');
  }

  /** Parses a query string. Drops pairs that contain `;` or invalid escapes, as Go does. */
  static of(query: string | null): GoValues {
    const values = new GoValues();
    for (const pair of (query ?? '').split('&')) {
      if (pair === '' || pair.includes(';')) continue;
      const equals = pair.indexOf('=');
      const name = unescapeQuery(equals < 0 ? pair : pair.slice(0, equals));
      const value = unescapeQuery(equals < 0 ? '' : pair.slice(equals + 1));
      if (name !== null && value !== null) values.push(name, value);
    }
    return values;
  }

  Get(name: unknown): string {
    return this.get(textOf(name))?.[0] ?? '';
  }

  Has(name: unknown): boolean {
    return this.has(textOf(name));
  }

  Encode(): string {
    const names = [...this.keys()].sort();
    return names
      .flatMap((name) => (this.get(name) ?? []).map((value) => `${escapeQuery(name)}=${escapeQuery(value)}`))
      .join('&');
  }
}

function unescapeQuery(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function escapeQuery(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A request target. */
export class GoUrl {
  static {
    typeName(GoUrl.prototype, '*url.URL');
  }

  readonly Scheme = '';
  readonly Opaque = '';
  readonly User = null;
  readonly Host = '';
  readonly Path: string;
  readonly RawPath: string;
  readonly RawQuery: string;
  readonly Fragment = '';
  readonly #escaped: string;

  constructor(rawPath: string, path: string, query: string | null) {
    this.Path = path;
    this.RawPath = encodeURI(path) === rawPath ? '' : rawPath;
    this.RawQuery = query ?? '';
    this.#escaped = rawPath;
  }

  EscapedPath(): string {
    return this.#escaped;
  }

  Query(): GoValues {
    return GoValues.of(this.RawQuery);
  }

  RequestURI(): string {
    return this.String();
  }

  String(): string {
    return this.RawQuery === '' ? this.#escaped : `${this.#escaped}?${this.RawQuery}`;
  }

  Hostname(): string {
    return '';
  }

  Port(): string {
    return '';
  }

  IsAbs(): boolean {
    return false;
  }
}

/** Snapshot of the request, taken when template execution starts. */
export class GoRequest {
  static {
    typeName(GoRequest.prototype, '*http.Request');
  }

  readonly Method: string;
  readonly URL: GoUrl;
  readonly Proto: string;
  readonly ProtoMajor: number;
  readonly ProtoMinor: number;
  readonly Header: GoHeader;
  readonly ContentLength: number;
  readonly TransferEncoding: string[];
  readonly Close: boolean;
  readonly Host: string;
  readonly RemoteAddr: string;
  readonly RequestURI: string;
  readonly TLS: TlsState | NilPointer;

  constructor(exchange: Exchange, url: GoUrl, method: string) {
    const { connection, headers } = exchange;
    const version = /(\d+)(?:\.(\d+))?$/.exec(exchange.proto);
    this.Method = method;
    this.URL = url;
    this.Proto = exchange.proto;
    this.ProtoMajor = Number(version?.[1] ?? 1);
    this.ProtoMinor = Number(version?.[2] ?? 0);
    this.Header = GoHeader.of(headers);
    this.ContentLength = exchange.body.length;
    this.TransferEncoding = typedList(exchange.body.length < 0 ? ['chunked'] : [], 'string');
    this.Close = (headers.joined('connection') ?? '')
      .toLowerCase()
      .split(/\s*,\s*/)
      .includes('close');
    this.Host = exchange.host;
    this.RemoteAddr = connection.unix ? '@' : joinPort(connection.remoteAddress, connection.remotePort);
    this.RequestURI = exchange.originalUri;
    this.TLS =
      connection.tls === null
        ? new NilPointer('*tls.ConnectionState')
        : new TlsState(connection.tls.serverName, connection.tls.protocol);
  }

  UserAgent(): string {
    return this.Header.Get('user-agent');
  }

  Referer(): string {
    return this.Header.Get('referer');
  }

  /** Returns a query parameter. Unlike in Go, form fields in the body are ignored. */
  FormValue(name: unknown): string {
    return this.URL.Query().Get(name);
  }

  ProtoAtLeast(major: unknown, minor: unknown): boolean {
    const wanted = Number(major);
    return this.ProtoMajor > wanted || (this.ProtoMajor === wanted && this.ProtoMinor >= Number(minor));
  }
}

/** Go's nil pointer, which evaluates to false in templates. */
class NilPointer extends TypedNumber {
  constructor(type: string) {
    super('uintptr', 0, type);
  }

  String(): string {
    return '<nil>';
  }
}

class TlsState {
  static {
    typeName(TlsState.prototype, '*tls.ConnectionState');
  }

  readonly HandshakeComplete = true;
  readonly ServerName: string;
  readonly NegotiatedProtocol: string;

  constructor(serverName: string, protocol: string) {
    this.ServerName = serverName;
    this.NegotiatedProtocol = protocol;
  }
}

function joinPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Converts the argument of a method that expects a string. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string')
    throw new Error(`wrong type for value; expected string; got ${value === undefined ? 'nothing' : typeof value}`);
  return value;
}
