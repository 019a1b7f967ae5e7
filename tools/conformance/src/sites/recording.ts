/** Caddy's recorded responses, stored in the directory of each test site. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Played } from './play.ts';
import type { Site } from './site.ts';

/** A recorded response with its request line. */
export interface Recorded {
  readonly request: string;
  readonly response: readonly string[];
  /** Sluice's response, if it differs by design. */
  readonly here?: readonly string[];
}

/** Returns the responses to record: Caddy's responses, and Sluice's responses where the request declares a difference. */
export function recordedOf(theirs: readonly Played[], mine: readonly Played[]): Recorded[] {
  return theirs.map(({ request, lines }, index) => {
    const recorded = { request: request.line, response: lines };
    return request.settings.differs === undefined ? recorded : { ...recorded, here: mine[index]?.lines ?? [] };
  });
}

/** Saves the responses, one per line. */
export function recordSite({ folder }: Site, recorded: readonly Recorded[]): void {
  const lines = recorded.map((each) => JSON.stringify(each));
  writeFileSync(join(folder, 'recorded.json'), `[\n${lines.join(',\n')}\n]\n`);
}

/** Reads the responses. */
export function readRecorded({ folder }: Site): Recorded[] {
  return JSON.parse(readFileSync(join(folder, 'recorded.json'), 'utf8')) as Recorded[];
}
