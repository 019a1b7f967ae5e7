/** Files that are hidden: the server responds as if they did not exist. */
import { resolve, sep } from 'node:path';
import { compileText, type Exchange, type HttpTemplate } from '@sluice/http-app';
import { compileGlob, type GlobMatcher } from '@sluice/base';

export type Hidden = (path: string) => boolean;

/** Returns the function that determines the hidden files for a request. */
export type HiddenFor = (exchange: Exchange) => Hidden;

const nothing: Hidden = () => false;

/**
 * Compiles the `hide` option. A pattern without a separator is matched against each name in a file's path. A pattern with a separator is
 * matched against the whole path. It is resolved relative to the working directory, and also hides everything below the path.
 */
export function compileHide(patterns: readonly string[]): HiddenFor {
  const templates = patterns.map((pattern) => compileText(pattern, 'empty'));
  if (templates.every((template) => template.constant !== null)) {
    const hidden = hiddenBy(templates.map((template) => template.constant as string));
    return () => hidden;
  }
  let lastKey = '';
  let last = nothing;
  return (exchange) => {
    const expanded = templates.map((template: HttpTemplate) => template.expand(exchange));
    const key = expanded.join('\0');
    if (key !== lastKey) {
      lastKey = key;
      last = hiddenBy(expanded);
    }
    return last;
  };
}

function hiddenBy(patterns: readonly string[]): Hidden {
  const names: GlobMatcher[] = [];
  const paths: Hidden[] = [];
  for (const pattern of patterns) {
    if (pattern === '') continue;
    if (pattern.includes(sep)) paths.push(pathTest(pattern));
    else names.push(globOf(pattern));
  }
  if (names.length + paths.length === 0) return nothing;
  return (path) => {
    const absolute = path.startsWith('/') ? path : resolve(path);
    if (paths.some((test) => test(absolute))) return true;
    return names.length > 0 && absolute.split(sep).some((name) => name !== '' && names.some((match) => match(name)));
  };
}

function pathTest(pattern: string): Hidden {
  const absolute = resolve(pattern);
  const below = absolute.endsWith(sep) ? absolute : absolute + sep;
  const matches = globOf(absolute);
  return (path) => path === absolute || path.startsWith(below) || matches(path);
}

/** Compiles a glob pattern. An invalid pattern does not hide any files. */
function globOf(pattern: string): GlobMatcher {
  try {
    return compileGlob(pattern);
  } catch {
    return nothing;
  }
}
