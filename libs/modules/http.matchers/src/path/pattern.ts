/**
 * Path patterns, compared in lower case with the decoded and cleaned path. A single `*` at the end, at the beginning, or at each end
 * matches anything. Other patterns follow Go's `path.Match`, where a star doesn't match slashes.
 */
import { compileGlob, lowerCase } from '@sluice/base';
import type { Exchange } from '@sluice/http-app';
import { compileEscaped } from './escaped.ts';
import { normalPath, normalPathWithEmptySegments } from './normal.ts';

/** Predicate for the path of a request. */
export type PathTest = (exchange: Exchange) => boolean;

export type NormalTest = (path: string) => boolean;

/** Compiles any path pattern, including those that {@link compileNormal} doesn't support. */
export function compilePattern(pattern: string): PathTest {
  if (pattern === '*') return () => true;
  if (pattern.includes('%')) {
    const test = compileEscaped(pattern);
    return (exchange) => test(exchange.rawPath);
  }
  const test = compileNormal(lowerCase(pattern));
  return pattern.includes('//')
    ? (exchange) => test(normalPathWithEmptySegments(exchange.path))
    : (exchange) => test(normalPath(exchange.path));
}

/** Reports whether a pattern is compared with the path's normal form. Such patterns can share one normalization. */
export function isNormal(pattern: string): boolean {
  return pattern !== '*' && !pattern.includes('%') && !pattern.includes('//');
}

/** Compiles a lower-case pattern to a predicate for paths in normal form. */
export function compileNormal(pattern: string): NormalTest {
  const starts = pattern.startsWith('*');
  const ends = pattern.endsWith('*');
  const stars = pattern.split('*').length - 1;
  if (stars === 1 && ends) return startsWith(pattern.slice(0, -1));
  if (stars === 1 && starts) return endsWith(pattern.slice(1));
  if (stars === 2 && starts && ends) return includes(pattern.slice(1, -1));
  if (!/[*?[\\]/.test(pattern)) return (path) => path === pattern;
  try {
    return compileGlob(pattern);
  } catch {
    // As in Caddy, an invalid path pattern never matches.
    return () => false;
  }
}

function startsWith(text: string): NormalTest {
  return (path) => path.startsWith(text);
}

function endsWith(text: string): NormalTest {
  return (path) => path.endsWith(text);
}

function includes(text: string): NormalTest {
  return (path) => path.includes(text);
}
