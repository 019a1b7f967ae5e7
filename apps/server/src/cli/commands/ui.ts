/** `sluice ui`: opens the dashboard of a running server. */
import { spawn } from 'node:child_process';
import { parseAdminAddress } from '@sluice/admin-api';
import { isUnixNetwork } from '@sluice/base';
import { CommandError } from '../../failure.ts';
import { adminAddress, callAdmin } from '../admin-client.ts';

export interface UiOptions {
  readonly address?: string;
  /** Print the address only. */
  readonly print?: boolean;
}

/**
 * Prints the dashboard URL and opens it. If `SERVER_ADMIN_TOKEN` is set, the URL contains a one-time code that expires after a minute, so
 * that the token does not appear in the browser history.
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

/** Browsers do not support Unix sockets. */
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

/** Opens the desktop browser, if available. The printed URL works in any case. */
function open(url: string): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const isDesktop = process.platform in openers || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!isDesktop || program === undefined) return;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

/** Commands that open a URL, by platform. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
