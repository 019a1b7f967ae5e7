/** Reads what was saved: the snapshot, and the changes that its journal has for it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { applyOperations } from '@sluice/reconciler';
import { messageOf, SluiceError, type Json } from '@sluice/base';
import { parseLine, type ChangeLine, type CheckpointLine, type JournalLine } from './journal-line.ts';

/** A saved configuration. */
export interface Saved {
  readonly document: Json;
  /** Things that a person should know, such as a journal that was set aside. */
  readonly warnings: readonly string[];
}

/** Names of the files in the configuration folder. */
export const snapshotName = 'autosave.json';
export const journalName = 'autosave.journal';

/** The hash by which a journal names its snapshot. */
export function snapshotHash(): { update(text: string): void; digest(): string } {
  const hash = createHash('sha256');
  return { update: (text) => hash.update(text), digest: () => hash.digest('hex') };
}

/** Reads a saved configuration; `null` if there is none. An error of code `ERR_RESUME` says which file is broken, and where. */
export async function readSaved(snapshotPath: string, journalPath: string): Promise<Saved | null> {
  const text = await readText(snapshotPath);
  if (text === null) return null;
  let document: Json;
  try {
    document = JSON.parse(text) as Json;
  } catch (error) {
    throw new SluiceError('ERR_RESUME', `the saved configuration is not JSON: ${messageOf(error)}`, {
      where: snapshotPath,
      cause: error,
    });
  }
  const journal = await readText(journalPath);
  if (journal === null || journal === '') return { document, warnings: [] };
  const hash = snapshotHash();
  hash.update(text);
  return replay(document, hash.digest(), journal, journalPath);
}

function replay(snapshot: Json, hash: string, journal: string, path: string): Saved {
  const lines = linesOf(journal, path);
  const changes = changesFor(hash, lines);
  if (changes === null) {
    const warning = `${path} belongs to another saved configuration than ${snapshotName}, which was changed by hand or by another server; its changes are left out`;
    return { document: snapshot, warnings: [warning] };
  }
  let document = snapshot;
  for (const { operations } of changes) {
    try {
      document = applyOperations(document, operations);
    } catch (error) {
      throw new SluiceError(
        'ERR_RESUME',
        `a saved change does not apply to the configuration before it: ${messageOf(error)}`,
        {
          where: path,
          cause: error,
        },
      );
    }
  }
  return { document, warnings: [] };
}

/** All whole lines. Only the last may be cut off: it was being written, so its change got no response. */
function linesOf(journal: string, path: string): JournalLine[] {
  const texts = journal.split('\n');
  const rest = texts.pop() ?? '';
  const lines: JournalLine[] = [];
  for (const [index, text] of texts.entries()) {
    const line = parseLine(text);
    if (line !== null) lines.push(line);
    else if (index < texts.length - 1 || rest !== '') {
      const message =
        'this line is damaged, and later ones depend on it; repair or remove the file to go on with the snapshot alone';
      throw new SluiceError('ERR_RESUME', message, { where: `${path}:${index + 1}` });
    }
  }
  return lines;
}

/** The changes that follow the snapshot with this hash; `null` if the journal knows no such snapshot. */
function changesFor(hash: string, lines: readonly JournalLine[]): ChangeLine[] | null {
  const changes = lines.filter((line): line is ChangeLine => 'operations' in line);
  const checkpoint = lines.findLast((line): line is CheckpointLine => 'snapshot' in line && line.snapshot === hash);
  if (checkpoint !== undefined) return changes.slice(checkpoint.after);
  const [base] = lines;
  return base !== undefined && 'base' in base && base.base === hash ? changes : null;
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new SluiceError('ERR_RESUME', messageOf(error), { where: path, cause: error });
  }
}
