/** Parses and formats URLs by Go's rules. These rules are less strict than the WHATWG rules and preserve the original text. */
import { quote } from '../fmt/quote.ts';
import { decodeText, encodeText } from '../values/text.ts';

/** Parts of a URL. All parts except the query are decoded. */
export interface UrlParts {
  readonly scheme: string;
  readonly opaque: string;
  /** User information before the `@`, not decoded. Empty if absent. */
  readonly userinfo: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** Characters that need no escaping in each part of a URL, besides letters, digits and `-_.~` (RFC 3986 §2.3). */
const allowed = { path: '$&+,/:;=@', fragment: '$&+,/:;=@?!()*', user: '$&+,;=', host: `!$&'()*+,;=:[]<>"` };

const hexPair = /^[0-9a-fA-F]{2}$/;

/** Percent-encodes the characters that are not allowed in a part of the URL. */
function escape(text: string, part: keyof typeof allowed): string {
  let escaped = '';
  for (const byte of encodeText(text)) {
    const character = String.fromCharCode(byte);
    const plain = byte < 0x80 && (/[A-Za-z0-9\-_.~]/.test(character) || allowed[part].includes(character));
    escaped += plain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

/** Decodes percent-encoding (`%XX`). Throws if an escape is malformed. */
function unescape(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = encodeText(text);
  const decoded: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte !== 0x25) {
      decoded.push(byte);
      continue;
    }
    const pair = String.fromCharCode(...bytes.subarray(i + 1, i + 3));
    if (!hexPair.test(pair)) throw new Error(`invalid URL escape ${quote(`%${pair}`)}`);
    decoded.push(Number.parseInt(pair, 16));
    i += 2;
  }
  return decodeText(Uint8Array.from(decoded));
}

/** Parses a URL into its parts. Throws if the URL is malformed. */
export function parseUrl(text: string): UrlParts {
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`parse ${quote(text)}: ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
}

function parse(text: string): UrlParts {
  if (/[\x00-\x1f\x7f]/.test(text)) throw new Error('net/url: invalid control character in URL');
  const [beforeFragment, rawFragment] = cut(text, '#');
  const fragment = unescape(rawFragment);
  if (beforeFragment.startsWith(':')) throw new Error('missing protocol scheme');
  const schemeMatch = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(beforeFragment);
  const scheme = (schemeMatch?.[1] ?? '').toLowerCase();
  const [rest, query] = cut(beforeFragment.slice(schemeMatch?.[0].length ?? 0), '?');
  const empty: UrlParts = { scheme, opaque: '', userinfo: '', host: '', path: '', query, fragment };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...empty, opaque: rest };
    if ((rest.split('/')[0] ?? '').includes(':')) throw new Error('first path segment in URL cannot contain colon');
  }
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) return { ...empty, path: unescape(rest) };
  const slash = rest.indexOf('/', 2);
  const authority = slash === -1 ? rest.slice(2) : rest.slice(2, slash);
  const path = slash === -1 ? '' : rest.slice(slash);
  return { ...empty, ...parseAuthority(authority), path: unescape(path) };
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function parseAuthority(authority: string): Pick<UrlParts, 'userinfo' | 'host'> {
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1));
  if (at === -1) return { userinfo: '', host };
  const userinfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) throw new Error('net/url: invalid userinfo');
  const colon = userinfo.indexOf(':');
  if (colon === -1) return { userinfo: escape(unescape(userinfo), 'user'), host };
  const name = escape(unescape(userinfo.slice(0, colon)), 'user');
  return { userinfo: `${name}:${escape(unescape(userinfo.slice(colon + 1)), 'user')}`, host };
}

function parseHost(host: string): string {
  const close = host.lastIndexOf(']');
  if (host.startsWith('[')) {
    if (close === -1) throw new Error("missing ']' in host");
    checkPort(host.slice(close + 1));
    const zone = host.slice(0, close).indexOf('%25');
    if (zone !== -1) return unescapeHost(host.slice(0, zone)) + unescape(host.slice(zone));
  } else {
    const colon = host.lastIndexOf(':');
    if (colon !== -1) checkPort(host.slice(colon));
  }
  return unescapeHost(host);
}

function checkPort(port: string): void {
  if (!/^(?::\d*)?$/.test(port)) throw new Error(`invalid port ${quote(port)} after host`);
}

/** Decodes percent-encoding in a host. Only non-ASCII bytes may be encoded there. */
function unescapeHost(host: string): string {
  const escaped = /%[0-7][0-9a-fA-F]/.exec(host);
  if (escaped !== null) throw new Error(`invalid URL escape ${quote(escaped[0])}`);
  const wrong = /[\x00-\x7f]/g;
  for (const [character] of host.matchAll(wrong)) {
    if (character === '%' || escape(character, 'host') === character) continue;
    throw new Error(`invalid character ${quote(character)} in host name`);
  }
  return unescape(host);
}

/** Returns the host without its port and brackets. */
export function hostName(host: string): string {
  const bracketed = /^\[(.*)\](?::\d*)?$/.exec(host);
  return bracketed?.[1] ?? host.replace(/:\d*$/, '');
}

export function joinUrl(parts: UrlParts): string {
  let url = parts.scheme === '' ? '' : `${parts.scheme}:`;
  if (parts.opaque !== '') url += parts.opaque;
  else {
    const { host, userinfo, path } = parts;
    const authority = host !== '' || userinfo !== '';
    if (authority || (parts.scheme !== '' && path !== '')) url += '//';
    if (userinfo !== '') url += `${userinfo}@`;
    url += escape(host, 'host');
    const shown = path === '*' ? '*' : escape(path, 'path');
    if (shown !== '' && !shown.startsWith('/') && host !== '') url += '/';
    else if (url === '' && (shown.split('/')[0] ?? '').includes(':')) url += './';
    url += shown;
  }
  if (parts.query !== '') url += `?${parts.query}`;
  return parts.fragment === '' ? url : `${url}#${escape(parts.fragment, 'fragment')}`;
}
