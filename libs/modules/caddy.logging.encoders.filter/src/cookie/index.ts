/** `caddy.logging.encoders.filter.cookie`: changes cookies in a Cookie field. */
import { defineModule } from '@sluice/registry';
import { isToken } from '@sluice/base';
import { logFieldFilters } from '@sluice/contracts';
import { cookieFilter, cookieOptions, type CookieActions } from '../common/cookies.ts';

/** Allowed characters of a value, quoted or not (RFC 6265 §4.1.1, plus spaces and commas that clients send). */
const goodValue = /^[ !#-:<-[\]-~]*$/;

export const cookieModule = defineModule(logFieldFilters, {
  name: 'cookie',
  help: 'Deletes, replaces or hashes request cookies. Malformed parts of the Cookie header field are removed.',
  config: cookieOptions,
  provision: (config, context) => cookieFilter(config, context, changeLines),
});

/** Returns one line with the remaining cookies; empty if none remain. */
function changeLines(lines: readonly unknown[], actions: CookieActions): readonly string[] {
  const kept: string[] = [];
  for (const { name, text, quoted } of lines.flatMap(readCookies)) {
    const action = actions.get(name);
    const changed = action === undefined ? text : action(text);
    if (changed !== null) kept.push(`${name}=${quoted || /[ ,]/.test(changed) ? `"${changed}"` : changed}`);
  }
  return kept.length === 0 ? [] : [kept.join('; ')];
}

/** Parses the well-formed cookies of a line. */
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
