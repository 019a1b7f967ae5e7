/** Parses the address in `sluice reverse-proxy --from`. */
import { splitHostPort } from '@sluice/base';
import { CommandError } from '../../failure.ts';

/** Address on which the proxy accepts requests. */
export interface Downstream {
  readonly scheme: 'http' | 'https';
  /** Host name to match. Empty matches any host. */
  readonly host: string;
  readonly port: string;
}

/**
 * Parses the address. If there is no scheme, a host name implies HTTPS unless the port is 80, and a port alone implies HTTP. The default
 * port depends on the scheme.
 */
export function readDownstream(given: string): Downstream {
  const text = given.trim();
  const fail = (problem: string): Error => new CommandError(`--from ${JSON.stringify(given)}: ${problem}`);
  const [, named, authority = ''] = /^(?:([^/]*):\/\/)?(.*)$/.exec(text) ?? [];
  const scheme = named?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    throw fail('the scheme must be http or https, or omitted');
  if (authority.includes('/')) throw fail('paths are not allowed; use a configuration file for routes');
  const { host, port } = split(authority, fail);
  if (/[\s,?#@]/.test(host)) throw fail('expected a single address: [scheme://][host][:port]');
  if (port !== '' && (!/^\d+$/.test(port) || Number(port) > 65_535))
    throw fail('the port must be a number up to 65535');
  const meant = scheme ?? (host === '' || port === '80' ? 'http' : 'https');
  return { scheme: meant, host, port: port === '' ? defaultPorts[meant] : port };
}

const defaultPorts = { http: '80', https: '443' } as const;

function split(authority: string, fail: (problem: string) => Error): { host: string; port: string } {
  try {
    return splitHostPort(authority);
  } catch (error) {
    throw fail((error as Error).message);
  }
}
