/** Test fixtures: templates with the results recorded from Caddy. */
import { join } from 'node:path';

/** A template and its result. The result is the output (text, or base64 if it is not UTF-8) or the logged error. */
export interface Fixture {
  readonly template: string;
  readonly output?: string;
  readonly outputBase64?: string;
  readonly error?: string;
  /** Reason why Sluice's result differs. */
  readonly differs?: string;
  readonly ours?: string;
}

export const fixturesFolder = join(import.meta.dirname, '..', 'fixtures');

/** Path of the page that Caddy serves. */
export const pageName = '/page.html';
