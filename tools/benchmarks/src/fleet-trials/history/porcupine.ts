/**
 * Second check of a recorded history, with the linearizability checker Porcupine. Porcupine is written in Go, and is built only if Go is
 * installed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCommand } from '../../machine.ts';
import type { History } from './call.ts';

/** Result of the check. `skipped` contains the reason why the checker could not be built. */
export type Verdict = 'accepted' | 'refused' | 'undecided' | { readonly skipped: string };

const sources = fileURLToPath(new URL('../porcupine', import.meta.url));

/** The built checker. */
export class Porcupine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sluice-porcupine-'));
  readonly #skipped: string | null;

  constructor() {
    this.#skipped = this.#build();
  }

  /** Checks whether the history is linearizable. */
  check(history: History): Verdict {
    if (this.#skipped !== null) return { skipped: this.#skipped };
    const file = join(this.#folder, 'history.json');
    writeFileSync(file, JSON.stringify(operationsOf(history)));
    const { status, stdout, stderr } = spawnSync(join(this.#folder, 'check'), [file], { encoding: 'utf8' });
    const verdict = stdout.trim();
    if (verdict === 'accepted' || verdict === 'refused' || verdict === 'undecided') return verdict;
    throw new Error(`the checker exited with ${status}: ${stderr}`);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #build(): string | null {
    const go = findCommand('go');
    if (go === null) return 'Go is not installed';
    cpSync(sources, this.#folder, { recursive: true });
    const { status, stderr } = spawnSync(go, ['build', '-o', 'check', '.'], {
      cwd: this.#folder,
      encoding: 'utf8',
      env: { ...process.env, CGO_ENABLED: '0' },
    });
    return status === 0 ? null : `Go cannot build it: ${stderr.trim()}`;
  }
}

/** An operation in the input format of the Go program. */
interface Operation {
  readonly client: number;
  /** Time in nanoseconds. */
  readonly call: number;
  readonly return: number;
  readonly isRead: boolean;
  readonly revision: number;
}

/**
 * Returns the initial state of a fleet and its operations, followed by a read of the whole history. Changes with an unknown outcome are
 * looked up in the history. Their end time is the end time of the read.
 */
function operationsOf({ changes, reads, revisions }: History): {
  readonly first: number;
  readonly operations: readonly Operation[];
} {
  const places = new Map(revisions.map(({ op, revision }) => [op, revision]));
  const asked = new Set(changes.map(({ op }) => op));
  const begun = revisions.findIndex(({ op }) => asked.has(op));
  const end = Math.max(...changes.map(({ responded }) => responded), ...reads.map(({ responded }) => responded), 0) + 1;
  const nanoseconds = (milliseconds: number): number => Math.round(milliseconds * 1e6);
  return {
    first: begun < 0 ? revisions.length : begun,
    operations: [
      ...changes.flatMap(({ op, client, called, responded, outcome, revision }) => {
        const place = outcome === 'committed' ? revision : places.get(op);
        if (place === undefined || place === null) return [];
        const returned = outcome === 'unknown' ? end : responded;
        return [{ client, call: nanoseconds(called), return: nanoseconds(returned), isRead: false, revision: place }];
      }),
      ...reads.map(({ client, called, responded, revision }) => ({
        client,
        call: nanoseconds(called),
        return: nanoseconds(responded),
        isRead: true,
        revision,
      })),
      {
        client: -1,
        call: nanoseconds(end) + 1,
        return: nanoseconds(end) + 2,
        isRead: true,
        revision: revisions.length,
      },
    ],
  };
}
