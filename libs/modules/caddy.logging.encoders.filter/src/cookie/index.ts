/** `caddy.logging.encoders.filter.cookie`: changes cookies of a Cookie field. */
import { defineModule } from '@sluice/registry';
import { isToken } from '@sluice/base';
import { logFieldFilters } from '@sluice/contracts';
import { cookieFilter, cookieOptions, type CookieActions } from '../common/cookies.ts';

/** What may stand in a value, between quotes or not (RFC 6265 §4.1.1, and the spaces and commas that clients send). */
const goodValue = /^[ !#-:<-[\]-~]*$/;

/** The module. */
export const cookieModule = defineModule(logFieldFilters, {
  name: 'cookie',
  help: 'Deletes, replaces or hashes request cookies. Anything that is not a cookie is removed.',
  config: cookieOptions,
  provision: (config, context) => cookieFilter(config, context, changeLines),
});

/** One line with the cookies that are kept; none without any. */
function changeLines(lines: readonly unknown[], actions: CookieActions): readonly string[] {
  const kept: string[] = [];
  for (const { name, text, quoted } of lines.flatMap(readCookies)) {
    const action = actions.get(name);
    const changed = action === undefined ? text : action(text);
    if (changed !== null) kept.push(`${name}=${quoted || /[ ,]/.test(changed) ? `"${changed}"` : changed}`);
  }
  return kept.length === 0 ? [] : [kept.join('; ')];
}

/** The cookies of one line, those that are well-formed. */
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
