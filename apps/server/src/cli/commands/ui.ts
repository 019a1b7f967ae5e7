/** `sluice ui`: opens the dashboard of a server that runs. */
import { spawn } from 'node:child_process';
import { parseAdminAddress } from '@sluice/admin-api';
import { isUnixNetwork } from '@sluice/base';
import { CommandError } from '../../failure.ts';
import { adminAddress, callAdmin } from '../admin-client.ts';

/** Options of `ui`. */
export interface UiOptions {
  readonly address?: string;
  /** Print the address alone. */
  readonly print?: boolean;
}

/**
 * Prints the address of the dashboard and opens it. With a token (`SERVER_ADMIN_TOKEN`) it has a code that holds once and
 * for a minute, so that the token itself does not stand in the history of the browser.
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

/** Browsers speak no unix sockets. */
function originOf(address: string): string {
  const plain = address.replace(/^http:\/\//i, '').replace(/\/$/, '');
  const { network, host, startPort } = parseAdminAddress(plain);
  if (isUnixNetwork(network))
    throw new CommandError(
      `the admin endpoint is the Unix socket ${host}, which a browser cannot open: forward a port to it, for example with ssh -L 2019:${host}`,
    );
  const name = host === '' || host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${startPort}`;
}

/** Starts the browser of the desktop, if there is one; what is printed works without. */
function open(url: string): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const isDesktop = process.platform in openers || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!isDesktop || program === undefined) return;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

/** What opens an address, by platform. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
