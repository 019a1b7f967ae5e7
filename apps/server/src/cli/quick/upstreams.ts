/** Parses the addresses in `sluice reverse-proxy --to`. */
import { joinHostPort, messageOf, parseNetworkAddress, splitHostPort } from '@sluice/base';
import { CommandError } from '../../failure.ts';

export interface Upstreams {
  readonly dials: readonly string[];
  /** True if the first upstream address requires TLS. */
  readonly secure: boolean;
  readonly warnings: readonly string[];
}

interface Upstream {
  /** Scheme of the address. Empty if there is none. */
  readonly scheme: string;
  readonly dials: readonly string[];
}

const defaultPorts: Readonly<Record<string, string>> = { '': '80', http: '80', https: '443', h2c: '80' };

export function readUpstreams(texts: readonly string[]): Upstreams {
  const upstreams = texts.map((text) => readUpstream(text.trim()));
  const schemes = new Set(upstreams.map(({ scheme }) => scheme === 'https'));
  const secure = upstreams[0]?.scheme === 'https';
  const warnings: string[] = [];
  if (schemes.size > 1)
    warnings.push(`--to: all addresses use the scheme of the first address, ${secure ? 'with' : 'without'} TLS`);
  if (upstreams.some(({ scheme }) => scheme === 'h2c'))
    warnings.push(
      '--to h2c://…: requests are sent with HTTP/1.1; HTTP/2 requires a configuration file (transport.versions)',
    );
  return { dials: upstreams.flatMap(({ dials }) => dials), secure, warnings };
}

function readUpstream(text: string): Upstream {
  const fail = (problem: string): Error => new CommandError(`--to ${JSON.stringify(text)}: ${problem}`);
  const mark = text.indexOf('://');
  if (mark >= 0) return readUrl(text.slice(0, mark).toLowerCase(), text.slice(mark + 3), fail);
  const slash = text.indexOf('/');
  const network = slash < 0 ? '' : text.slice(0, slash);
  const rest = text.slice(slash + 1);
  if (network === 'unix+h2c') return { scheme: 'h2c', dials: [`unix/${rest}`] };
  if (network === 'unix' || network === 'fd') return { scheme: '', dials: [text] };
  if (slash >= 0 && !['tcp', 'tcp4', 'tcp6'].includes(network))
    throw fail('expected host:port, http://host, https://host or unix//path; upstream addresses cannot have a path');
  if (rest === '' || /\s/.test(rest)) throw fail('expected host:port, without white space');
  return { scheme: '', dials: dialsOf(rest, '', fail) };
}

function readUrl(scheme: string, rest: string, fail: (problem: string) => Error): Upstream {
  if (defaultPorts[scheme] === undefined) throw fail('the scheme must be http, https or h2c');
  if (rest.includes('{')) throw fail('an address with a scheme cannot contain placeholders; use host:port');
  if (/[/?#@\s]/.test(rest)) throw fail('an upstream URL can only have scheme, host and port');
  const dials = dialsOf(rest, scheme, fail);
  const conflicting = scheme === 'https' ? ':80' : ':443';
  if (dials.some((dial) => dial.endsWith(conflicting)))
    throw fail(`port ${conflicting.slice(1)} conflicts with the scheme ${scheme}`);
  return { scheme, dials };
}

/** Returns one dial address for each port of a range. */
function dialsOf(address: string, scheme: string, fail: (problem: string) => Error): string[] {
  const defaultPort = defaultPorts[scheme] ?? '80';
  // Keep a placeholder unchanged, because its value may include the port.
  if (/^\{[^{}]*\}$/.test(address)) return [address];
  const [, placeholders = '', port = defaultPort] = /^([^:]*\{[^{}]*\}[^:]*)(?::(.*))?$/.exec(address) ?? [];
  const { host, ports } =
    placeholders === '' ? parse(address, defaultPort, fail) : { host: placeholders, ports: portsOf(port, fail) };
  return ports.map((each) => joinHostPort(host, each));
}

function parse(
  address: string,
  defaultPort: string,
  fail: (problem: string) => Error,
): { readonly host: string; readonly ports: readonly number[] } {
  try {
    const { host, port } = splitHostPort(address);
    return { host, ports: portsOf(port === '' ? defaultPort : port, fail) };
  } catch (error) {
    throw error instanceof CommandError ? error : fail(messageOf(error));
  }
}

function portsOf(text: string, fail: (problem: string) => Error): number[] {
  try {
    const { startPort, endPort } = parseNetworkAddress(`:${text}`);
    return Array.from({ length: endPort - startPort + 1 }, (_, at) => startPort + at);
  } catch (error) {
    throw fail(messageOf(error));
  }
}
