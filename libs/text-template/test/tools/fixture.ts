/** Fixtures: templates with the results of Caddy. */
import { join } from 'node:path';

/** A template and its result: output (text, or base64 if it is not UTF-8), or the logged error. */
export interface Fixture {
  readonly template: string;
  readonly output?: string;
  readonly outputBase64?: string;
  readonly error?: string;
  /** Reason for a different result. */
  readonly differs?: string;
  readonly ours?: string;
}

/** Directory of the fixtures. */
export const fixturesFolder = join(import.meta.dirname, '..', 'fixtures');

/** Page name in Caddy. */
export const pageName = '/page.html';
