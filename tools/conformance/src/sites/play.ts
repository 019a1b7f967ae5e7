/** Sends the requests of a site to a server, one at a time. */
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

/** Server for the requests of sites. */
export interface Player {
  readonly command: readonly string[];
  readonly options?: readonly string[];
  /** Milliseconds until the certificates of names are available. Caddy rejects handshakes before that. */
  readonly settle?: number;
  /** Address of the PHP server. */
  readonly scripts: Stub;
}

/** Sends the requests of a site to its own server, which finds the Caddyfile in its working directory. */
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

/** Sends the requests of a site to the server on a stage. */
export async function playSteps(site: Site, stage: Stage): Promise<Played[]> {
  const played: Played[] = [];
  for (const step of site.steps) {
    if (isRequest(step)) played.push({ request: step, lines: comparable(await ask(step, stage), stage) });
    else await stage.checked(step.checked, step.times);
  }
  return played;
}

/** Removes the ports, the directory and the server name of this run. */
function comparable(lines: readonly string[], { ports, folder }: Stage): string[] {
  return lines.map((line) => {
    let text = line.replaceAll(folder, '{folder}').replaceAll(/\b(?:Caddy|Sluice)\b/g, '{server}');
    for (const [name, port] of Object.entries(ports)) text = text.replaceAll(String(port), `{${name}}`);
    return text;
  });
}
