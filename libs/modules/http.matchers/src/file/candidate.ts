/** Entries of `try_files`: templates with wildcards, or `=404`. */
import { noRoot, resolveHttp, type Exchange, type HttpTemplate } from '@sluice/http-app';
import { cleanRequestPath, compileTemplate, formatValue, lowerAscii, type Resolver } from '@sluice/base';

/** A possible path of a file below the root. */
export interface Candidate {
  /** Cleaned path relative to the root. Begins with a slash, and ends with a slash if the expanded entry does. */
  readonly path: string;
  /** Part removed by `split_path`. */
  readonly remainder: string;
  /** True if `path` contains glob wildcards and escapes. */
  readonly glob: boolean;
  /**
   * Required file type: an entry with a trailing slash requires a directory. `nothing` if the slash comes from a
   * placeholder, or if the entry is the root.
   */
  readonly wants: 'file' | 'folder' | 'nothing';
}

/** A compiled entry. */
export interface Entry {
  /** Status of `=404`; 0 for all other entries. */
  readonly status: number;
  candidate(exchange: Exchange): Candidate;
}

/** Compiles an entry. `splits` are strings after which paths are split, for example `.php`. */
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

/** Splits after the first match at the end of a segment. A directory `scripts.php.d` is therefore not a script. */
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

/** Placeholders that may be empty: parts of paths and queries, and their captures. */
const mayBeEmpty = /^http\.(?:request\.(?:orig_)?uri|matchers\.file|regexp)(?:\.|$)/;

/**
 * Any other placeholder without a value results in a path that never exists. An empty value could result in the path of
 * another file.
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

/** In an entry with wildcards, those in placeholder values are literal. */
const escapingResolver: Resolver<Exchange> = (name) => {
  const read = pathResolver(name);
  if (read === null) return null;
  return (exchange) => {
    const value = read(exchange);
    return value === undefined ? undefined : formatValue(value).replaceAll(/[*?[\\]/g, '\\$&');
  };
};

/** Returns the literal text of an entry without active wildcards. */
export function withoutEscapes(glob: string): string {
  return glob.replaceAll(/\\([^])/g, '$1');
}
