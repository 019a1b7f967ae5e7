/** Determines whether a recording includes a request. */
import { type Exchange, hostKey } from '@sluice/http-app';
import type { TraceMatch } from './recording.ts';

/** A compiled request matcher, evaluated at the start and at the end of a request. */
export interface CompiledMatch {
  begins(exchange: Exchange): boolean;
  ends(status: number): boolean;
}

type Fits = (text: string) => boolean;

export function compileMatch({ host, path, method, status, header }: TraceMatch): CompiledMatch {
  const hosts = anyOf(host.map((each) => each.toLowerCase()));
  const paths = anyOf(path);
  const methods = anyOf(method);
  const statuses = anyOf(status.map((each) => each.toLowerCase().replace('xx', '*')));
  const fields = Object.entries(header).map(([name, values]) => [name, anyOf(values)] as const);
  return {
    begins: (exchange) =>
      hosts(hostKey(exchange.originalHost)) &&
      methods(exchange.originalMethod) &&
      paths(exchange.path) &&
      fields.every(([name, fits]) => {
        const value = exchange.headers.joined(name);
        return value !== undefined && fits(value);
      }),
    ends: (code) => statuses(String(code)),
  };
}

function anyOf(patterns: readonly string[]): Fits {
  if (patterns.length === 0) return () => true;
  const each = patterns.map(wildcard);
  return (text) => each.some((fits) => fits(text));
}

/**
 * Returns a matcher for a pattern in which `*` matches any characters. Each part of the pattern matches at its first occurrence, so
 * matching takes linear time.
 */
function wildcard(pattern: string): Fits {
  const [first = '', ...pieces] = pattern.split('*');
  const last = pieces.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
    let at = first.length;
    for (const piece of pieces) {
      const found = text.indexOf(piece, at);
      if (found < 0 || found + piece.length > text.length - last.length) return false;
      at = found + piece.length;
    }
    return true;
  };
}
