/**
 * Mutants that no test can or should kill, each with the reason. `equivalents/<package>.json` lists them by file, line text, and mutated
 * line or kind of mutation. Entries remain valid when lines move, but a changed line must be reviewed again.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Candidate } from './candidates.ts';
import type { MutationKind } from './mutate.ts';

export interface Equivalent {
  readonly file: string;
  readonly line: string;
  /** The mutated line. Omitted if the reason applies to all mutations of {@link kind}. */
  readonly mutated?: string;
  readonly kind?: MutationKind;
  /** Reason why the mutant has no relevant effect. */
  readonly reason: string;
}

/** Reads the lists of equivalent mutants in this tool's directory. */
export function readEquivalents(): Equivalent[] {
  const folder = fileURLToPath(new URL('../equivalents', import.meta.url));
  return globSync('*.json', { cwd: folder })
    .toSorted()
    .flatMap((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Equivalent[]);
}

function fits({ file, line, mutated, kind }: Equivalent, candidate: Candidate): boolean {
  if (file !== candidate.file || line !== candidate.line) return false;
  return mutated === undefined ? kind === candidate.mutation.kind : mutated === candidate.mutated;
}

/** Returns the list entry for a mutant, or `undefined`. */
export function equivalentOf(list: readonly Equivalent[], candidate: Candidate): Equivalent | undefined {
  return list.find((entry) => fits(entry, candidate));
}

/** Returns the list entries of a package that match no mutant, because their lines have changed. */
export function staleAmong(
  list: readonly Equivalent[],
  folder: string,
  candidates: readonly Candidate[],
): readonly Equivalent[] {
  return list.filter(
    (entry) => entry.file.startsWith(`${folder}/`) && !candidates.some((candidate) => fits(entry, candidate)),
  );
}
