/**
 * Mutants that no test can kill, or that none should: each with the reason. They are listed in `equivalents.json` by the
 * file, the text of the line, and what the mutation makes of it or its kind, so that a change of the line asks for a new look.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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

/** The list that is kept with the tool. */
export function readEquivalents(): Equivalent[] {
  return JSON.parse(
    readFileSync(fileURLToPath(new URL('../equivalents.json', import.meta.url)), 'utf8'),
  ) as Equivalent[];
}

/** The entry for a mutant, or `undefined`. */
export function equivalentOf(
  list: readonly Equivalent[],
  mutant: Required<Pick<Equivalent, 'file' | 'line' | 'mutated' | 'kind'>>,
): Equivalent | undefined {
  return list.find(({ file, line, mutated, kind }) => {
    if (file !== mutant.file || line !== mutant.line) return false;
    return mutated === undefined ? kind === mutant.kind : mutated === mutant.mutated;
  });
}
