/** Entries of the `try_files` option: path templates, possibly with wildcards, or a status such as `=404`. */
import { noRoot, resolveHttp, type Exchange, type HttpTemplate } from '@sluice/http-app';
import { cleanRequestPath, compileTemplate, formatValue, lowerAscii, type Resolver } from '@sluice/base';

/** Path below the root at which a file may exist. */
export interface Candidate {
  /** Cleaned path relative to the root, with a leading slash. Has a trailing slash if the expanded entry has one. */
  readonly path: string;
  /** Part of the path that `split_path` removed. */
  readonly remainder: string;
  /** True if `path` is a glob pattern, with wildcards and escapes. */
  readonly glob: boolean;
  /**
   * Required file type. An entry with a trailing slash requires a directory. `nothing` means that the slash comes from a placeholder or
   * that the entry is the root, so there is no requirement.
   */
  readonly wants: 'file' | 'folder' | 'nothing';
}

/** A compiled entry. */
export interface Entry {
  /** Status of an entry such as `=404`, or 0 for all other entries. */
  readonly status: number;
  candidate(exchange: Exchange): Candidate;
}

/** Compiles a `try_files` entry. Paths are split after the first matching string in `splits`, for example `.php`. */
export function compileEntry(source: string, splits: readonly string[]): Entry {
  const glob = /[*?[\\]/.test(source.replaceAll(/\{[^}]*\}/g, ''));
  const template: HttpTemplate = compileTemplate(source, glob ? escapingResolver : pathResolver, 'empty');
  const lowerSplits = splits.map(lowerAscii);
  const folder = source.endsWith('/');
  return {
    status: statusOf(source),
    candidate(exchange) {
      const text = template.expand(exchange);
      const path = cleanRequestPath(text);
      return splitPath(path, lowerSplits, glob) ?? wholePath(path, text, glob, folder);
    },
  };
}

function statusOf(source: string): number {
  const digits = /^=\+?0*(\d{3})$/.exec(source)?.[1];
  return digits !== undefined && Number(digits) >= 100 ? Number(digits) : 0;
}

/** Splits a path after the first match at the end of a path segment. The directory `scripts.php.d` is therefore not split as a script. */
function splitPath(path: string, splits: readonly string[], glob: boolean): Candidate | null {
  if (splits.length === 0) return null;
  const lower = lowerAscii(path);
  for (const split of splits) {
    const at = lower.indexOf(split);
    const end = at + split.length;
    if (at < 0 || path[end] !== '/') continue;
    return { path: path.slice(0, end), remainder: path.slice(end), glob, wants: 'file' };
  }
  return null;
}

function wholePath(path: string, text: string, glob: boolean, folder: boolean): Candidate {
  const slash = text.endsWith('/');
  const never = (path === '/' && text.startsWith('/')) || (slash && !folder);
  return { path, remainder: '', glob, wants: never ? 'nothing' : folder ? 'folder' : 'file' };
}

/** Placeholders that may expand to an empty string: URI parts, and captures of matchers. */
const mayBeEmpty = /^http\.(?:request\.(?:orig_)?uri|matchers\.file|regexp)(?:\.|$)/;

/**
 * If any other placeholder has no value, the path must refer to a nonexistent file. An empty string could produce the path of a different
 * file.
 */
const pathResolver: Resolver<Exchange> = (name) => {
  const read = resolveHttp(name);
  if (read === null) return () => noRoot;
  if (mayBeEmpty.test(name)) return read;
  return (exchange) => {
    const value = read(exchange);
    return value === undefined || value === '' || value === null ? noRoot : value;
  };
};

/** Escapes wildcards in placeholder values, which must match literally. */
const escapingResolver: Resolver<Exchange> = (name) => {
  const read = pathResolver(name);
  if (read === null) return null;
  return (exchange) => {
    const value = read(exchange);
    return value === undefined ? undefined : formatValue(value).replaceAll(/[*?[\\]/g, '\\$&');
  };
};

/** Returns the literal string for an escaped glob pattern without active wildcards. */
export function withoutEscapes(glob: string): string {
  return glob.replaceAll(/\\([^])/g, '$1');
}
