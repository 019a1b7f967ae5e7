/** What the reference did, kept beside each site. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Played } from './play.ts';
import type { Site } from './site.ts';

/** A response as it is kept, with the line of its request. */
export interface Recorded {
  readonly request: string;
  readonly response: readonly string[];
  /** Our response where it is meant to be another one. */
  readonly here?: readonly string[];
}

/** What is kept: responses of the reference, and ours where the request says that they differ. */
export function recordedOf(theirs: readonly Played[], mine: readonly Played[]): Recorded[] {
  return theirs.map(({ request, lines }, index) => {
    const recorded = { request: request.line, response: lines };
    return request.settings.differs === undefined ? recorded : { ...recorded, here: mine[index]?.lines ?? [] };
  });
}

/** Keeps it. */
export function recordSite({ folder }: Site, recorded: readonly Recorded[]): void {
  writeFileSync(join(folder, 'recorded.json'), `${JSON.stringify(recorded, null, 2)}\n`);
}

/** Reads it. */
export function readRecorded({ folder }: Site): Recorded[] {
  return JSON.parse(readFileSync(join(folder, 'recorded.json'), 'utf8')) as Recorded[];
}
