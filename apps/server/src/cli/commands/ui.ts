/** `sluice ui`: opens the dashboard of a running server in a browser. */
import { spawn } from 'node:child_process';
import { parseAdminAddress } from '@sluice/admin-api';
import { isUnixNetwork } from '@sluice/base';
import { CommandError } from '../../failure.ts';
import { adminAddress, callAdmin } from '../admin-client.ts';

export interface UiOptions {
  readonly address?: string;
  /** True to print the URL without opening it. */
  readonly print?: boolean;
}

/**
 * Prints the dashboard URL and opens it. If `SERVER_ADMIN_TOKEN` is set, the URL contains a one-time code that expires after a minute. The
 * token itself therefore never appears in the browser history.
 */
export async function ui({ address, print = false }: UiOptions): Promise<number> {
  const place = adminAddress(address, null);
  const origin = originOf(place);
  const made = await callAdmin({ address: place, method: 'POST', path: '/session/code' });
  const url = origin + (JSON.parse(made) as { readonly path: string }).path;
  process.stdout.write(`${url}\n`);
  if (!print) open(url);
  return 0;
}

/** Returns the admin endpoint's origin. Throws for Unix sockets, which browsers do not support. */
function originOf(address: string): string {
  const plain = address.replace(/^http:\/\//i, '').replace(/\/$/, '');
  const { network, host, startPort } = parseAdminAddress(plain);
  if (isUnixNetwork(network))
    throw new CommandError(
      `the admin endpoint is the Unix socket ${host}, which browsers cannot open: forward a port to the socket, for example with ssh -L 2019:${host}`,
    );
  const name = host === '' || host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${startPort}`;
}

/** Opens a URL in the desktop browser, if there is one. The URL is printed in any case. */
function open(url: string): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const isDesktop = process.platform in openers || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!isDesktop || program === undefined) return;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

/** Commands that open a URL, keyed by platform. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
