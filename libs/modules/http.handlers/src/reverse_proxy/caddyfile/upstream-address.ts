/** Parses upstream addresses: `host:port`, `https://host`, `h2c://host`, `unix//path`, port ranges, placeholders. */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Dial address of an upstream, and its scheme: none, `http`, `https` or `h2c`. The scheme determines the transport. */
interface UpstreamAddress {
  readonly scheme: string;
  readonly dial: string;
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443', h2c: '80' };

/** WebSocket schemes and the equivalent HTTP schemes. Proxies treat both in the same way. */
const browserSchemes: Readonly<Record<string, string>> = { ws: 'http', wss: 'https' };

type Fail = (problem: string) => Error;

/** Parses an upstream address. The scheme determines the default port. */
function readUpstreamAddress(text: string, reader: Dispenser): UpstreamAddress {
  const fail: Fail = (problem) => reader.error(`parsing upstream '${text}': ${problem}`);
  if (text.includes('://')) return readUrl(text, fail);
  const slash = text.indexOf('/');
  const written = slash < 0 || text.slice(0, slash).includes('{') ? '' : text.slice(0, slash);
  const network = written.toLowerCase();
  const path = text.slice(slash + 1);
  if (/^(unix|fd)/.test(network)) {
    if (network.endsWith('+h2c')) return { scheme: 'h2c', dial: `unix/${path}` };
    return { scheme: '', dial: `${network}/${path}` };
  }
  const address = network === '' ? text : path;
  const { host, port } = splitAddress(address);
  const prefix = written === '' || written === 'tcp' ? '' : `${network}/`;
  return { scheme: '', dial: `${prefix}${join(host, port === '' && !isPlaceholder(address) ? '80' : port)}` };
}

function readUrl(text: string, fail: Fail): UpstreamAddress {
  if (text.includes('{')) {
    throw fail('due to parsing difficulties, placeholders are not allowed when an upstream address contains a scheme');
  }
  const mark = text.indexOf('://');
  const rest = text.slice(mark + 3);
  const end = rest.search(/[/?#]/);
  const authority = (end < 0 ? rest : rest.slice(0, end)).replace(/^.*@/, '');
  const problem = problemOfScheme(text.slice(0, mark)) ?? problemOfAuthority(authority);
  if (problem !== null) throw fail(`parsing upstream URL: parse ${JSON.stringify(text)}: ${problem}`);
  if (end >= 0) throw fail('for now, URLs for proxy upstreams only support scheme, host, and port components');
  const scheme = text.slice(0, mark).toLowerCase();
  const meant = browserSchemes[scheme];
  if (meant !== undefined) throw fail(`the scheme ${scheme}:// is only supported in browsers; use ${meant}:// instead`);
  const defaults = defaultPorts[scheme];
  if (defaults === undefined) throw fail(`unsupported URL scheme ${scheme}://`);
  const { host, port } = splitAddress(authority);
  const conflicting = scheme === 'https' ? '80' : '443';
  if (port === conflicting) {
    const whose = scheme === 'https' ? 'HTTP' : 'HTTPS';
    throw fail(`upstream address has conflicting scheme (${scheme}://) and port (:${port}, the ${whose} port)`);
  }
  return { scheme, dial: join(host, port === '' ? defaults : port) };
}

function problemOfScheme(scheme: string): string | null {
  if (scheme === '') return 'missing protocol scheme';
  return /^[a-z][a-z\d+.-]*$/i.test(scheme) ? null : 'first path segment in URL cannot contain colon';
}

function problemOfAuthority(authority: string): string | null {
  if (authority.startsWith('[') && !authority.includes(']')) return "missing ']' in host";
  const wrongPort = authority.startsWith('[') ? /\](.+)$/.exec(authority)?.[1] : /:[^:]*$/.exec(authority)?.[0];
  if (wrongPort !== undefined && !/^:\d*(?:-.*)?$/s.test(wrongPort)) {
    return `invalid port ${JSON.stringify(wrongPort)} after host`;
  }
  const escape = /%.{0,2}/s.exec(authority)?.[0];
  if (escape !== undefined && !authority.startsWith('[')) return `invalid URL escape ${JSON.stringify(escape)}`;
  const wrong = /[^\w.~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}-]/u.exec(authority)?.[0];
  return wrong === undefined ? null : `invalid character ${JSON.stringify(wrong)} in host name`;
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

/** Returns the upstreams for an address. A port range results in one upstream per port. */
export function readUpstreams(text: string, reader: Dispenser): { scheme: string; upstreams: Json[] } {
  const { scheme, dial } = readUpstreamAddress(text, reader);
  const { port } = splitAddress(dial);
  const hasPort = port !== '' && !port.includes('{') && !/^(?:unix|fd)[^/]*\//.test(dial);
  if (!hasPort) return { scheme, upstreams: [compact({ dial })] };
  const fail: Fail = (problem) => reader.error(`parsing upstream '${text}': ${problem}`);
  const [start = '', end] = port.split(/-(.*)/s, 2);
  const first = readPort(start, (problem) => fail(`invalid start port: ${problem}`));
  if (end === undefined) return { scheme, upstreams: [{ dial }] };
  const last = readPort(end, (problem) => fail(`invalid end port: ${problem}`));
  if (last < first) throw fail('end port must not be less than start port');
  // As in Caddy, the network of an address with a port range is ignored.
  const before = dial.slice(dial.indexOf('/') + 1, -port.length);
  return { scheme, upstreams: Array.from({ length: last - first + 1 }, (_, at) => ({ dial: before + (first + at) })) };
}

function readPort(text: string, fail: Fail): number {
  const problem = !/^\d+$/.test(text) ? 'invalid syntax' : Number(text) > 65535 ? 'value out of range' : null;
  if (problem !== null) throw fail(`strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`);
  return Number(text);
}
