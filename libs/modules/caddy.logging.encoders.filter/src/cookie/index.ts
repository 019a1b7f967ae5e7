/** The module `caddy.logging.encoders.filter.cookie`, which changes cookies in a `Cookie` header field of a log entry. */
import { defineModule } from '@sluice/registry';
import { isToken } from '@sluice/base';
import { logFieldFilters } from '@sluice/contracts';
import { cookieFilter, cookieOptions, type CookieActions } from '../common/cookies.ts';

/**
 * Characters allowed in a cookie value, with or without quotes (RFC 6265 §4.1.1). Spaces and commas are also allowed, because clients send
 * them.
 */
const goodValue = /^[ !#-:<-[\]-~]*$/;

export const cookieModule = defineModule(logFieldFilters, {
  name: 'cookie',
  help: 'Deletes, replaces or hashes request cookies. Malformed parts of the Cookie header field are removed.',
  config: cookieOptions,
  provision: (config, context) => cookieFilter(config, context, changeLines),
});

/** Returns a single line with the remaining cookies, or an empty list if none remain. */
function changeLines(lines: readonly unknown[], actions: CookieActions): readonly string[] {
  const kept: string[] = [];
  for (const { name, text, quoted } of lines.flatMap(readCookies)) {
    const action = actions.get(name);
    const changed = action === undefined ? text : action(text);
    if (changed !== null) kept.push(`${name}=${quoted || /[ ,]/.test(changed) ? `"${changed}"` : changed}`);
  }
  return kept.length === 0 ? [] : [kept.join('; ')];
}

/** Parses the well-formed cookies in a line of the header. */
function readCookies(line: unknown): { name: string; text: string; quoted: boolean }[] {
  if (typeof line !== 'string') return [];
  return line.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    const name = (equals < 0 ? pair : pair.slice(0, equals)).trim();
    const written = equals < 0 ? '' : pair.slice(equals + 1).trim();
    const quoted = written.length > 1 && written.startsWith('"') && written.endsWith('"');
    const text = quoted ? written.slice(1, -1) : written;
    return isToken(name) && goodValue.test(text) ? [{ name, text, quoted }] : [];
  });
}
