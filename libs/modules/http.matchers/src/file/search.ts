/** Searches the `try_files` entries for a file, with a selection policy. */
import { HttpError, isFolder, type Exchange, type FileFacts, type FileSystem } from '@sluice/http-app';
import { joinRoot } from '@sluice/base';
import { withoutEscapes, type Candidate, type Entry } from './candidate.ts';
import { expandGlob } from './glob.ts';
import { settled, type Steps } from './steps.ts';

/** An existing file, or the last `try_files` entry if a fallback policy uses it without a lookup. */
export interface Found {
  /** Path relative to the root. Has a trailing slash if a directory was requested. */
  readonly path: string;
  readonly remainder: string;
  /** File metadata, or `null` if the file was not looked up. */
  readonly facts: FileFacts | null;
}

/** A file search: the `try_files` entries, the file system and root, and the request. */
export interface Search {
  readonly entries: readonly Entry[];
  readonly files: FileSystem;
  readonly root: string;
  readonly exchange: Exchange;
}

export const policies = [
  'first_exist',
  'first_exist_fallback',
  'smallest_size',
  'largest_size',
  'most_recently_modified',
] as const;

/** Policy that selects one of several existing files. */
export type Policy = (typeof policies)[number];

/** Searches with a policy. Returns `null` if no file was found. */
export function searchBy(policy: Policy, search: Search): Steps<Found | null> {
  switch (policy) {
    case 'first_exist':
      return first(search, false);
    case 'first_exist_fallback':
      return first(search, true);
    case 'smallest_size':
      return best(search, (a, b) => a.size < b.size);
    case 'largest_size':
      return best(search, (a, b) => a.size > b.size);
    case 'most_recently_modified':
      return best(search, (a, b) => a.mtimeMs > b.mtimeMs);
  }
}

/**
 * Returns the first existing entry. An entry with a trailing slash must be a directory, any other entry a file. If no earlier entry exists,
 * a fallback policy returns the last entry without a lookup.
 */
function* first(search: Search, fallback: boolean): Steps<Found | null> {
  const { entries, exchange } = search;
  for (const [i, entry] of entries.entries()) {
    if (entry.status > 0)
      throw new HttpError(entry.status, `no file in try_files exists, and the list ends with =${entry.status}`);
    const candidate = entry.candidate(exchange);
    const paths = yield* pathsOf(search, candidate);
    if (fallback && i === entries.length - 1) {
      return { path: paths[0] ?? withoutEscapes(candidate.path), remainder: candidate.remainder, facts: null };
    }
    if (candidate.wants === 'nothing') continue;
    for (const path of paths) {
      const facts = yield* factsOf(search, path);
      if (facts !== null && isFolder(facts) === (candidate.wants === 'folder'))
        return { path, remainder: candidate.remainder, facts };
    }
  }
  return null;
}

/** Returns the best file or directory according to `precedes`. If several are equally good, returns the first one. */
function* best(search: Search, precedes: (a: FileFacts, b: FileFacts) => boolean): Steps<Found | null> {
  let found: { path: string; remainder: string; facts: FileFacts } | null = null;
  for (const entry of search.entries) {
    const candidate = entry.candidate(search.exchange);
    for (const path of yield* pathsOf(search, candidate)) {
      const facts = yield* factsOf(search, path);
      if (facts !== null && (found === null || precedes(facts, found.facts)))
        found = { path, remainder: candidate.remainder, facts };
    }
  }
  return found;
}

function* pathsOf({ files, root }: Search, candidate: Candidate): Steps<readonly string[]> {
  return candidate.glob ? yield* settled(expandGlob(files, root, candidate.path)) : [candidate.path];
}

function* factsOf({ files, root }: Search, path: string): Steps<FileFacts | null> {
  const file = joinRoot(root, path);
  if (file === null) return null;
  try {
    return yield* settled(files.stat(file));
  } catch {
    return null;
  }
}
