/** Plays a site to a server: sends its requests one after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './client/ask.ts';
import type { Site } from './site.ts';
import { Stage } from './stage.ts';
import { isRequest, type SiteRequest } from './step.ts';
import type { Stub } from './stubs.ts';

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

/** Plays all of it to a server of its own, which finds the Caddyfile in the folder that it is started in. */
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

/** Plays the steps of a site to the server that serves it on a stage. */
export async function playSteps(site: Site, stage: Stage): Promise<Played[]> {
  const played: Played[] = [];
  for (const step of site.steps) {
    if (isRequest(step)) played.push({ request: step, lines: comparable(await ask(step, stage), stage) });
    else await stage.checked(step.checked, step.times);
  }
  return played;
}

/** Lines without what is of this run: the ports, the folder, and the name of the server. */
function comparable(lines: readonly string[], { ports, folder }: Stage): string[] {
  return lines.map((line) => {
    let text = line.replaceAll(folder, '{folder}').replaceAll(/\b(?:Caddy|Sluice)\b/g, '{server}');
    for (const [name, port] of Object.entries(ports)) text = text.replaceAll(String(port), `{${name}}`);
    return text;
  });
}
