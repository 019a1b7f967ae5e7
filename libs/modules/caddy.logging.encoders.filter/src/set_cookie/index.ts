/** The module `caddy.logging.encoders.filter.set_cookie`, which changes cookies in a `Set-Cookie` header field of a log entry. */
import { defineModule } from '@sluice/registry';
import { logFieldFilters } from '@sluice/contracts';
import { cookieFilter, cookieOptions, type CookieActions } from '../common/cookies.ts';

export const setCookieModule = defineModule(logFieldFilters, {
  name: 'set_cookie',
  help: 'Deletes, replaces or hashes response cookies. Their attributes are kept.',
  config: cookieOptions,
  provision: (config, context) =>
    cookieFilter(config, context, (lines, actions) => lines.flatMap((line) => changeLine(line, actions))),
});

/** Returns the changed `Set-Cookie` line, or an empty list if the cookie is deleted. */
function changeLine(line: unknown, actions: CookieActions): readonly unknown[] {
  if (typeof line !== 'string') return [line];
  const semicolon = line.indexOf(';');
  const end = semicolon < 0 ? line.length : semicolon;
  const equals = line.slice(0, end).indexOf('=');
  const name = line.slice(0, Math.max(0, equals)).trim();
  const action = equals < 0 ? undefined : actions.get(name);
  if (action === undefined) return [line];
  const changed = action(line.slice(equals + 1, end).trim());
  return changed === null ? [] : [`${name}=${changed}${line.slice(end)}`];
}
