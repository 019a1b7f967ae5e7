/** The fixtures: templates with what the reference server made of them. */
import { join } from 'node:path';

/** A template and its result: output (text, or base 64 where it is not UTF-8), or the error that was logged. */
export interface Fixture {
  readonly template: string;
  readonly output?: string;
  readonly outputBase64?: string;
  readonly error?: string;
  /** Why ours is something else, and what it is. */
  readonly differs?: string;
  readonly ours?: string;
}

/** Where the fixtures are. */
export const fixturesFolder = join(import.meta.dirname, '..', 'fixtures');

/** The name that pages have in the reference. */
export const pageName = '/page.html';
