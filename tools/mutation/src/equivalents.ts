/**
 * Mutants that no test can kill, or that none should: each with the reason. They are listed per package in
 * `equivalents/<package>.json` by the file, the text of the line, and what the mutation makes of it or its kind. Lines may
 * move; a change of the line asks for a new look.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Candidate } from './candidates.ts';
import type { MutationKind } from './mutate.ts';

/** An entry of the list. */
export interface Equivalent {
  /** Relative to the workspace. */
  readonly file: string;
  /** The line, without white space around it. */
  readonly line: string;
  /** The line as the mutation makes it; left out where the reason holds for all mutations of {@link kind}. */
  readonly mutated?: string;
  /** The kind of mutation, where `mutated` is left out: `constant` for the multipliers of a hash. */
  readonly kind?: MutationKind;
  /** Why nothing, or nothing that matters, is different. */
  readonly reason: string;
}

/** The lists that are kept with the tool. */
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

/** The entry for a mutant, or `undefined`. */
export function equivalentOf(list: readonly Equivalent[], candidate: Candidate): Equivalent | undefined {
  return list.find((entry) => fits(entry, candidate));
}

/** The entries for a package that fit none of its mutants: their lines have changed. */
export function staleAmong(
  list: readonly Equivalent[],
  folder: string,
  candidates: readonly Candidate[],
): readonly Equivalent[] {
  return list.filter(
    (entry) => entry.file.startsWith(`${folder}/`) && !candidates.some((candidate) => fits(entry, candidate)),
  );
}
