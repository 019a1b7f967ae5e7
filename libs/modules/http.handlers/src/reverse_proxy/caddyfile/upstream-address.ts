/** Addresses of upstreams: `host:port`, `https://host`, `h2c://host`, `unix//path`, ranges of ports, placeholders. */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Where to dial, and the scheme that asks for a transport: empty, `http`, `https` or `h2c`. */
export interface UpstreamAddress {
  readonly scheme: string;
  readonly dial: string;
}

const usualPorts: Readonly<Record<string, string>> = { '': '80', http: '80', https: '443', h2c: '80' };

/** Reads the address of an upstream. The port of the scheme holds where none is written. */
export function readUpstreamAddress(text: string, reader: Dispenser): UpstreamAddress {
  const fail = (problem: string): Error => reader.error(`parsing upstream '${text}': ${problem}`);
  const mark = text.indexOf('://');
  if (mark >= 0 && !text.slice(0, mark).includes('{')) return readUrl(text, mark, fail);
  const slash = text.indexOf('/');
  const network = slash < 0 || text.slice(0, slash).includes('{') ? '' : text.slice(0, slash);
  if (network.startsWith('unix')) {
    const h2c = network.endsWith('+h2c');
    return { scheme: h2c ? 'h2c' : '', dial: h2c ? `unix/${text.slice(slash + 1)}` : text };
  }
  const address = network === '' ? text : text.slice(slash + 1);
  const { host, port } = splitAddress(address);
  const prefix = network === '' || network === 'tcp' ? '' : `${network}/`;
  return { scheme: '', dial: `${prefix}${join(host, port === '' && !isPlaceholder(address) ? '80' : port)}` };
}

function readUrl(text: string, mark: number, fail: (problem: string) => Error): UpstreamAddress {
  const scheme = text.slice(0, mark);
  const rest = text.slice(mark + 3);
  if (rest.includes('{') && /\{[^}]*\}/.test(rest) && scheme !== 'http' && scheme !== 'https' && scheme !== 'h2c') {
    throw fail(`unsupported URL scheme ${scheme}://`);
  }
  const end = rest.search(/[/?#](?![^{]*\})/);
  if (end >= 0) throw fail('for now, URLs for proxy upstreams only support scheme, host, and port components');
  if (usualPorts[scheme] === undefined || scheme === '') throw fail(`unsupported URL scheme ${scheme}://`);
  const { host, port } = splitAddress(rest);
  if (scheme === 'http' && port === '443') {
    throw fail('upstream address has conflicting scheme (http://) and port (:443, the HTTPS port)');
  }
  if (scheme === 'https' && port === '80') {
    throw fail('upstream address has conflicting scheme (https://) and port (:80, the HTTP port)');
  }
  if (scheme === 'h2c' && port === '443') {
    throw fail('upstream address has conflicting scheme (h2c://) and port (:443, the HTTPS port)');
  }
  return { scheme, dial: join(host, port === '' ? (usualPorts[scheme] ?? '') : port) };
}

function isPlaceholder(text: string): boolean {
  return /^\{[^}]*\}$/.test(text);
}

function splitAddress(text: string): { host: string; port: string } {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text);
  if (bracketed !== null) return { host: bracketed[1] ?? '', port: bracketed[2] ?? '' };
  const bare = text.replace(/\{[^}]*\}/g, (each) => '_'.repeat(each.length));
  const colon = bare.lastIndexOf(':');
  if (colon < 0 || bare.indexOf(':') !== colon) return { host: text, port: '' };
  return { host: text.slice(0, colon), port: text.slice(colon + 1) };
}

function join(host: string, port: string): string {
  const shown = host.includes(':') && !host.includes('{') ? `[${host}]` : host;
  return port === '' ? shown : `${shown}:${port}`;
}

/** The upstreams of an address: one for each port of a range. */
export function expandUpstream(dial: string, reader: Dispenser): Json[] {
  const range = /^(.*):(\d+)-(\d+)$/.exec(dial);
  if (range === null) return [compact({ dial })];
  const [, host = '', first, last] = range;
  const from = Number(first);
  const to = Number(last);
  if (to < from) throw reader.error(`parsing upstream '${dial}': end port must be greater than start port`);
  if (to - from > 65535) throw reader.error(`parsing upstream '${dial}': port range exceeds 65535`);
  return Array.from({ length: to - from + 1 }, (_, at) => ({ dial: `${host}:${from + at}` }));
}
