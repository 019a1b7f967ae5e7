/** Plays a site to a server: starts it in the folder of the site, sends the requests one after the other, and ends it. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../servers/server-process.ts';
import { makeCertificates } from './certificates.ts';
import { ask } from './client/ask.ts';
import { startIn } from './running.ts';
import { copySite, type Site } from './site.ts';
import { listenStub, type Stub } from './stubs.ts';
import type { SiteRequest } from './step.ts';

/** What came of a request. */
export interface Played {
  readonly request: SiteRequest;
  readonly lines: readonly string[];
}

/** A server to play to. */
export interface Player {
  readonly command: readonly string[];
  readonly options?: readonly string[];
  /** Milliseconds until the certificates of names are there: the reference refuses handshakes before. */
  readonly settle?: number;
  /** Where PHP is served. */
  readonly scripts: Stub;
}

/** The upstreams that Caddyfiles name as `{$ONE}`, `{$TWO}` and `{$THREE}`. */
const upstreams = ['one', 'two', 'three'];

/** Plays all of it. */
export async function playSite(site: Site, { command, options = [], settle = 0, scripts }: Player): Promise<Played[]> {
  const folder = copySite(site);
  makeCertificates(site, folder);
  const stubs = await Promise.all(upstreams.map(listenStub));
  const ports: Record<string, number> = { php: scripts.port };
  for (const name of ['http', 'https', 'extra', 'admin', 'gone']) ports[name] = await freePort();
  for (const [index, name] of upstreams.entries()) ports[name] = stubs[index]?.port ?? 0;
  const played: Played[] = [];
  try {
    const environment = environmentOf(ports, folder);
    const running = await startIn({ command, options, folder, environment, adminPort: ports['admin'] ?? 0 });
    try {
      await sleep(settle);
      for (const step of site.steps) {
        if (typeof step === 'number') await sleep(step);
        else played.push({ request: step, lines: comparable(await ask(step, { ports, folder }), ports, folder) });
      }
    } finally {
      await running.stop();
    }
  } finally {
    for (const stub of stubs) stub.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return played;
}

/** What Caddyfiles may name, and homes for what servers keep. */
function environmentOf(ports: Readonly<Record<string, number>>, folder: string): Record<string, string> {
  const home = `${folder}/.home`;
  const environment: Record<string, string> = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  for (const name of ['http', 'https', 'extra', 'admin'])
    environment[`${name.toUpperCase()}_PORT`] = String(ports[name]);
  for (const name of [...upstreams, 'gone', 'php']) environment[name.toUpperCase()] = `127.0.0.1:${ports[name] ?? 0}`;
  return environment;
}

/** Lines without what is of this run: the ports, the folder, and the name of the server. */
function comparable(lines: readonly string[], ports: Readonly<Record<string, number>>, folder: string): string[] {
  return lines.map((line) => {
    let text = line.replaceAll(folder, '{folder}').replaceAll(/\b(?:Caddy|Sluice)\b/g, '{server}');
    for (const [name, port] of Object.entries(ports)) text = text.replaceAll(String(port), `{${name}}`);
    return text;
  });
}
