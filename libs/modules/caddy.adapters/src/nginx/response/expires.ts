/** Translates `expires`, which sets the cache lifetime of responses. */
import { setting } from './setting.ts';
import type { Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument } from '../syntax/directive.ts';
import { secondsOf } from '../text/values.ts';

/** Response headers for the named values of `expires`. */
const named: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  off: {},
  epoch: { Expires: 'Thu, 01 Jan 1970 00:00:01 GMT', 'Cache-Control': 'no-cache' },
  max: { Expires: 'Thu, 31 Dec 2037 23:55:55 GMT', 'Cache-Control': 'max-age=315360000' },
};

/** Returns the handlers for `expires`. Omits the `Expires` header, because `max-age` has the same meaning. */
export function cachingHandlers(site: Site, scope: Scope): Node[] {
  const directive = scope.find('expires');
  if (directive === undefined) return [];
  const text = argument(directive, 0, 'a time, off, epoch or max');
  if (text === 'modified' || text.startsWith('@') || text.startsWith('$')) {
    site.adaptation.warn(directive, `expires ${text} is not supported; no expiration time is set on responses`);
    return [];
  }
  const fields = named[text] ?? fieldsOf(text);
  if (fields === null)
    throw problemAt(directive, `expected a time, off, epoch or max after expires, not ${JSON.stringify(text)}`);
  return Object.keys(fields).length === 0 ? [] : [setting(fields)];
}

function fieldsOf(text: string): Readonly<Record<string, string>> | null {
  const seconds = secondsOf(text.replace(/^[+-]/, ''));
  if (seconds === null) return null;
  return { 'Cache-Control': text.startsWith('-') ? 'no-cache' : `max-age=${seconds}` };
}
