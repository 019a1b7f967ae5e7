/** `sluice manpage`: writes manual pages for section 8 of the manual. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandSpec } from '@sluice/registry';
import { makeDirectory, messageOf } from '@sluice/base';
import { CommandError, unfinished } from '../../failure.ts';
import { manualPages } from '../manual-pages.ts';

/** Writes one manual page per command, and an overview page. */
export async function manpage(
  { directory }: { readonly directory?: string },
  commands: readonly CommandSpec[],
): Promise<number> {
  if (directory === undefined || directory === '')
    throw new CommandError('manpage requires a directory: --directory DIRECTORY', undefined, unfinished);
  try {
    await makeDirectory(directory, 0o777);
    for (const [name, text] of manualPages(commands)) await writeFile(join(directory, name), text);
  } catch (error) {
    throw new CommandError(`writing manual pages to ${directory}: ${messageOf(error)}`, error, unfinished);
  }
  return 0;
}
