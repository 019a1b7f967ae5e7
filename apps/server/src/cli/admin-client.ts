/** Admin API client that commands use to call a running server. */
import { request } from 'node:http';
import { parseAdminAddress } from '@sluice/admin-api';
import { isObject, isUnixNetwork, own, unixSocketPath, type Json } from '@sluice/base';
import { CommandError } from '../failure.ts';
import { defaultAdminAddress } from '../admin-address.ts';

/** Returns the admin endpoint's address from the first available source: the argument, the configuration, `SERVER_ADMIN`, the default. */
export function adminAddress(given: string | undefined, config: Json): string {
  const admin = isObject(config) ? own(config, 'admin') : undefined;
  const listen = isObject(admin) ? own(admin, 'listen') : undefined;
  if (given !== undefined && given !== '') return given;
  if (typeof listen === 'string' && listen !== '') return listen;
  return defaultAdminAddress();
}

export interface AdminCall {
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Reports whether a response status is an error. By default, 400 and above are errors. */
  readonly isError?: (status: number) => boolean;
}

/**
 * Sends a request and returns the response body. Adds the token from `SERVER_ADMIN_TOKEN` if it is set. Rejects if the response has an
 * error status or no response arrives.
 */
export function callAdmin({ address, method, path, headers, body, isError = isRefusal }: AdminCall): Promise<string> {
  const parsed = parseAdminAddress(withoutScheme(address));
  const unix = isUnixNetwork(parsed.network);
  const host = parsed.host === '' ? 'localhost' : parsed.host;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${parsed.startPort}`;
  const place = unix ? { socketPath: unixSocketPath(parsed) } : { host, port: parsed.startPort };
  const token = process.env.SERVER_ADMIN_TOKEN ?? '';
  const sent = {
    Host: unix ? '' : authority,
    // Omit Origin for a Unix socket, which has no origin. The server would treat an empty origin as a request from a browser.
    ...(unix ? {} : { Origin: `http://${authority}` }),
    ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...place, method, path, agent: false, headers: sent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        if (!isError(status)) resolve(text);
        else reject(new CommandError(`the server at ${address} responded with ${status}: ${messageIn(text)}`));
      });
    });
    outgoing.on('error', (error) =>
      reject(new CommandError(`cannot reach the server at ${address}: ${error.message}`, error)),
    );
    outgoing.end(body);
  });
}

function isRefusal(status: number): boolean {
  return status >= 400;
}

/** Removes the scheme from an address that was copied from a log or a browser: `http://localhost:2019/` becomes `localhost:2019`. */
function withoutScheme(address: string): string {
  const [, scheme, authority = '', path = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(address) ?? [];
  if (scheme === undefined) return address;
  if (scheme.toLowerCase() !== 'http')
    throw new CommandError(`--address ${address}: HTTPS is not supported; use http://host:port, or unix//path`);
  if (!/^\/?$/.test(path) || authority === '' || authority.includes('@'))
    throw new CommandError(`--address ${address}: expected only host and port, such as http://localhost:2019`);
  return /:\d+$/.test(authority) ? authority : `${authority}:80`;
}

/** Returns the message in a response such as `{"error": "…"}`. Returns other responses unchanged. */
function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { error?: string }).error ?? text;
  } catch {
    return text.trim();
  }
}
