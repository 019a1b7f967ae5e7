/** Intentional differences, each with the sentence of docs/differences.md that documents it. */
import type { Adapted } from '../caddyfile/adapting.ts';
import type { Request } from '../requests/request.ts';
import type { AdminCall } from '../servers/call-admin.ts';

/** An observed difference. */
export type Difference =
  | { readonly kind: 'refusal'; readonly configuration: string; readonly said: readonly (string | null)[] }
  | {
      readonly kind: 'response';
      readonly configuration: string;
      readonly request: Request;
      readonly theirs: readonly string[];
      readonly mine: readonly string[];
    }
  | { readonly kind: 'admin'; readonly call: AdminCall; readonly theirs: string; readonly mine: string }
  | { readonly kind: 'caddyfile'; readonly text: string; readonly a: Adapted; readonly b: Adapted };

const known: readonly { readonly why: string; readonly is: (difference: Difference) => boolean }[] = [
  {
    why: 'a value that Caddy cannot handle, such as null for a server, is an error with a response',
    is: (found) => found.kind === 'admin' && found.theirs === 'no response' && /^[45]\d\d /.test(found.mine),
  },
  {
    why: 'a status outside 100 to 999 is an error with status 500',
    is: (found) => found.kind === 'response' && found.theirs[0] === 'no response' && found.mine[0] === '500',
  },
  {
    why: 'captures belong to the last match; in Caddy, groups that the last pattern lacks keep their previous value',
    is: (found) =>
      found.kind === 'response' &&
      found.theirs.length === found.mine.length &&
      found.mine.every((line, at) => line === found.theirs[at] || /\{http\.regexp\.(?:1|r\.1|r\.name)\}/.test(line)),
  },
  {
    why: 'a query that a rewrite appends with {http.request.uri} keeps the "=" of an empty last value',
    is: (found) => {
      const without = (lines: readonly string[]): string => lines.join('\n').replaceAll(/([?&]r)=(?![^"|>#\s])/g, '$1');
      return (
        found.kind === 'response' &&
        found.configuration.includes('/p{http.request.uri}') &&
        without(found.theirs) === without(found.mine)
      );
    },
  },
  {
    why: 'an error that no error route of a subroute handles keeps its status',
    is: (found) =>
      found.kind === 'response' &&
      found.configuration.includes('"errors"') &&
      found.theirs[0] === '200' &&
      /^[45]/.test(found.mine[0] ?? '') &&
      bodyOf(found.theirs) === bodyOf(found.mine),
  },
];

/** Returns the body lines of a response. Header fields are excluded because they may depend on the status. */
function bodyOf(lines: readonly string[]): string {
  return lines.filter((line) => line.startsWith('body ')).join('\n');
}

/** Reports whether a difference is documented. */
export function isKnown(difference: Difference): boolean {
  return known.some(({ is }) => is(difference));
}
