/** Reads the saved configuration: the snapshot, and the matching journal changes. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { applyOperations } from '@sluice/reconciler';
import { messageOf, SluiceError, type Json } from '@sluice/base';
import { parseLine, type ChangeLine, type CheckpointLine, type JournalLine } from './journal-line.ts';

export interface Saved {
  readonly document: Json;
  /** Warnings for the operator, for example about a journal that was ignored. */
  readonly warnings: readonly string[];
}

/** File name of the snapshot in the configuration directory. */
export const snapshotName = 'autosave.json';
export const journalName = 'autosave.journal';

/** Returns an incremental hash. The journal uses the hash to identify a snapshot. */
export function snapshotHash(): { update(text: string): void; digest(): string } {
  const hash = createHash('sha256');
  return { update: (text) => hash.update(text), digest: () => hash.digest('hex') };
}

/** Reads the saved configuration. Returns `null` if there is none. An `ERR_RESUME` error contains the corrupted file and the line. */
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
    const warning = `${path} belongs to a different snapshot than ${snapshotName}, which was modified manually or by another server; ignoring the changes in the journal`;
    return { document: snapshot, warnings: [warning] };
  }
  let document = snapshot;
  for (const { operations } of changes) {
    try {
      document = applyOperations(document, operations);
    } catch (error) {
      throw new SluiceError(
        'ERR_RESUME',
        `a saved change cannot be applied to the previous configuration: ${messageOf(error)}`,
        {
          where: path,
          cause: error,
        },
      );
    }
  }
  return { document, warnings: [] };
}

/** Parses all complete lines of a journal. Only the last line can be incomplete, and its change was not acknowledged. */
function linesOf(journal: string, path: string): JournalLine[] {
  const texts = journal.split('\n');
  const rest = texts.pop() ?? '';
  const lines: JournalLine[] = [];
  for (const [index, text] of texts.entries()) {
    const line = parseLine(text);
    if (line !== null) lines.push(line);
    else if (index < texts.length - 1 || rest !== '') {
      const message =
        'the line is damaged, and later changes depend on it; repair the file, or remove it to continue with only the snapshot';
      throw new SluiceError('ERR_RESUME', message, { where: `${path}:${index + 1}` });
    }
  }
  return lines;
}

/** Returns the changes after the snapshot with this hash, or `null` if the journal belongs to another snapshot. */
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
