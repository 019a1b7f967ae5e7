/** Lists the mutants of a package, and the lines that they change. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMutation, mutationsOf, type Mutation } from './mutate.ts';

export interface Candidate {
  readonly file: string;
  readonly mutation: Mutation;
  readonly number: number;
  /** The trimmed line. */
  readonly line: string;
  readonly mutated: string;
}

function candidate(file: string, source: string, mutation: Mutation): Candidate {
  const before = source.slice(0, mutation.start);
  const from = before.lastIndexOf('\n') + 1;
  const newline = source.indexOf('\n', mutation.end);
  const to = newline === -1 ? source.length : newline;
  const after = applyMutation(source, mutation);
  return {
    file,
    mutation,
    number: before.split('\n').length,
    line: source.slice(from, to).trim(),
    mutated: after.slice(from, to + after.length - source.length).trim(),
  };
}

/** Returns all mutants of a package, sorted by file and offset. */
export function candidatesOf(root: string, folder: string): Candidate[] {
  return globSync(`${folder}/src/**/*.ts`, { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      return mutationsOf(file, source).map((mutation) => candidate(file, source, mutation));
    });
}
