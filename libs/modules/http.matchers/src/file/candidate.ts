/** Entries of `try_files`: texts with placeholders and stars, or `=404`. */
import { noRoot, resolveHttp, type Exchange, type HttpTemplate } from '@sluice/http-app';
import { cleanRequestPath, compileTemplate, formatValue, lowerAscii, type Resolver } from '@sluice/base';

/** A place under the root where a file may be. */
export interface Candidate {
  /** Cleaned path from the root, with a slash at the beginning, and at the end if the entry came to have one there. */
  readonly path: string;
  /** What `split_path` cut off. */
  readonly remainder: string;
  /** Whether `path` has stars and escapes of a glob. */
  readonly glob: boolean;
  /**
   * What a policy that takes the first must find: an entry that was written with a slash at the end asks for a folder.
   * Nothing satisfies one that only a placeholder gave the slash, or that is the root.
   */
  readonly wants: 'file' | 'folder' | 'nothing';
}

/** A compiled entry. */
export interface Entry {
  /** The status of `=404`; 0 for all others. */
  readonly status: number;
  candidate(exchange: Exchange): Candidate;
}

/** Compiles an entry. `splits` are the texts after which paths are split, such as `.php`. */
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

/** Splits where one of the texts stands first, if it ends a segment there: a folder `scripts.php.d` is not a script. */
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

/** Placeholders whose values are parts of paths or queries, or groups of expressions that matched them: they may be empty. */
const mayBeEmpty = /^http\.(?:request\.(?:orig_)?uri|matchers\.file|regexp)(?:\.|$)/;

/** A placeholder without a value leaves a path that no file has: without that part it would be the path of another file. */
const pathResolver: Resolver<Exchange> = (name) => {
  const read = resolveHttp(name);
  if (read === null) return () => noRoot;
  if (mayBeEmpty.test(name)) return read;
  return (exchange) => {
    const value = read(exchange);
    return value === undefined || value === '' || value === null ? noRoot : value;
  };
};

/** In an entry with stars those of placeholders' values are just characters. */
const escapingResolver: Resolver<Exchange> = (name) => {
  const read = pathResolver(name);
  if (read === null) return null;
  return (exchange) => {
    const value = read(exchange);
    return value === undefined ? undefined : formatValue(value).replaceAll(/[*?[\\]/g, '\\$&');
  };
};

/** The text that an entry with stars is if its stars are none. */
export function withoutEscapes(glob: string): string {
  return glob.replaceAll(/\\([^])/g, '$1');
}
