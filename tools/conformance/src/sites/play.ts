/** Sends the requests of a test site to a server, one at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './client/ask.ts';
import type { Site } from './site.ts';
import { Stage } from './stage.ts';
import { isRequest, type SiteRequest } from './step.ts';
import type { Stub } from './stubs.ts';

export interface Played {
  readonly request: SiteRequest;
  readonly lines: readonly string[];
}

/** A server that receives the requests of the test sites. */
export interface Player {
  readonly command: readonly string[];
  readonly options?: readonly string[];
  /** Time to wait for certificates, in milliseconds. Caddy rejects TLS handshakes before the certificates are available. */
  readonly settle?: number;
  /** The PHP server used by the site. */
  readonly scripts: Stub;
}

/** Starts a server for a test site and sends the requests of the site. The server loads the Caddyfile from its working directory. */
export async function playSite(site: Site, { command, options = [], settle = 0, scripts }: Player): Promise<Played[]> {
  const stage = await Stage.open(scripts);
  try {
    stage.put(site);
    const running = await stage.start(command, options);
    try {
      await sleep(settle);
      return await playSteps(site, stage);
    } finally {
      await running.stop();
    }
  } finally {
    stage.close();
  }
}

/** Sends the requests of a test site to the server of a test environment. */
export async function playSteps(site: Site, stage: Stage): Promise<Played[]> {
  const played: Played[] = [];
  for (const step of site.steps) {
    if (isRequest(step)) played.push({ request: step, lines: comparable(await ask(step, stage), stage) });
    else await stage.checked(step.checked, step.times);
  }
  return played;
}

/** Removes values that vary between runs: the ports, the directory and the server name. */
function comparable(lines: readonly string[], { ports, folder }: Stage): string[] {
  return lines.map((line) => {
    let text = line.replaceAll(folder, '{folder}').replaceAll(/\b(?:Caddy|Sluice)\b/g, '{server}');
    for (const [name, port] of Object.entries(ports)) text = text.replaceAll(String(port), `{${name}}`);
    return text;
  });
}
