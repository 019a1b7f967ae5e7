/**
 * Saves proposals in `proposals.journal` next to the saved configuration. Each proposal is a line, and each state change adds another line.
 * Proposals contain parts of the configuration, so only the owner can read the file.
 */
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Proposal, ProposalStore } from '@sluice/admin-api';
import { fileMode, makeDirectory, messageOf, stageFile, type Logger } from '@sluice/base';
import { formatChecked, readChecked } from './checked-line.ts';

/** File name of the proposals in the configuration directory. */
const proposalsName = 'proposals.journal';

/** Maximum number of lines in the proposals file before the file is rewritten. */
const maxLines = 1000;

export class ProposalFile implements ProposalStore {
  readonly #folder: string;
  readonly #path: string;
  readonly #log: Logger;
  #writing: Promise<void> = Promise.resolve();
  /** Number of lines in the file, or `null` if the file must be rewritten. */
  #lines: number | null = null;

  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#path = join(folder, proposalsName);
    this.#log = log;
  }

  async read(): Promise<readonly Proposal[]> {
    const proposals = new Map<number, Proposal>();
    try {
      const { lines, damaged } = await readChecked<Proposal>(this.#path, 'evidence', (proposal) => {
        proposals.set(proposal.id, proposal);
      });
      if (damaged > 0) this.#log.warn('ignoring corrupted proposals', { file: this.#path, lines: damaged });
      else if (lines > 0) this.#lines = lines;
    } catch (error) {
      this.#log.warn('cannot read the saved proposals', { file: this.#path, error: messageOf(error) });
    }
    return [...proposals.values()].toSorted((a, b) => a.id - b.id);
  }

  save(proposal: Proposal, all: readonly Proposal[]): Promise<void> {
    const line = formatChecked(proposal);
    this.#writing = this.#writing.then(() => this.#write(line, all));
    return this.#writing;
  }

  async #write(line: string, all: readonly Proposal[]): Promise<void> {
    try {
      if (this.#lines !== null && this.#lines < maxLines) {
        await appendFile(this.#path, line, { mode: fileMode, flush: true });
        this.#lines++;
        return;
      }
      await makeDirectory(this.#folder);
      await (await stageFile(this.#path, all.map(formatChecked))).commit();
      this.#lines = all.length;
    } catch (error) {
      this.#lines = null;
      this.#log.error('failed to save proposal; it will be lost on restart', { file: this.#path, error });
    }
  }
}
