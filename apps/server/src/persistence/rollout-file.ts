/**
 * Saves the last gradual rollout in `rollout.journal` next to the saved configuration. After a restart, the new process can then report the
 * end of the rollout. The file contains parts of the configuration, so only the owner can read it.
 */
import { join } from 'node:path';
import { makeDirectory, messageOf, stageFile, type Logger } from '@sluice/base';
import type { RolloutStore, StepsState } from '@sluice/rollout';
import { formatChecked, readChecked } from './checked-line.ts';

/** File name of the rollout in the configuration directory. */
const rolloutName = 'rollout.journal';

export class RolloutFile implements RolloutStore {
  readonly #folder: string;
  readonly #path: string;
  readonly #log: Logger;

  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#path = join(folder, rolloutName);
    this.#log = log;
  }

  async read(): Promise<StepsState | null> {
    let last: StepsState | null = null;
    try {
      await readChecked<StepsState>(this.#path, 'phase', (state) => (last = state));
    } catch (error) {
      this.#log.warn('cannot read the last rollout', { file: this.#path, error: messageOf(error) });
    }
    return last;
  }

  async save(state: StepsState): Promise<void> {
    try {
      await makeDirectory(this.#folder);
      await (await stageFile(this.#path, [formatChecked(state)])).commit();
    } catch (error) {
      this.#log.error('failed to save rollout state; it will be lost on restart', { file: this.#path, error });
    }
  }
}
