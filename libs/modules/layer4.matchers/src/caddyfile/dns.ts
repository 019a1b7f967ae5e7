/** Caddyfile syntax: `dns { allow …; deny …; … }` */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import { flag, list, syntax, words, type Dispenser, type Line } from '@sluice/caddyfile';
import { matcher } from './matcher.ts';

const ruleFields = ['name', 'type', 'class'];

/** Parses `allow NAME [TYPE [CLASS]]` and similar rules. `*` matches any value. */
function readRule(reader: Dispenser, suffix: string): JsonObject {
  const found = reader.remaining();
  if (found.length === 0 || found.length > ruleFields.length) throw reader.argumentError();
  return Object.fromEntries(
    found.flatMap((word, at) => (word === '*' ? [] : [[`${ruleFields[at] ?? ''}${suffix}`, word]])),
  );
}

export const dns = syntax(
  matcher('dns {\n\tallow example.com. NS\n\tdefault_deny\n}', {
    block: {
      ...Object.fromEntries(
        ['allow', 'deny'].flatMap((field) =>
          ['', '_regexp'].map((suffix) => [
            `${field}${suffix}`,
            list('<name> [<type> [<class>]]', {
              field,
              help: `Rule for queries ${field === 'allow' ? 'to match' : 'that must not match'}. \`*\` = any value.`,
            }),
          ]),
        ),
      ),
      default_deny: flag(),
      prefer_allow: flag(),
    },
  }),
  {
    read(reader): Json {
      const found: Record<string, Json> = {};
      reader.noArguments();
      for (const option of reader.block()) {
        const rule = /^(allow|deny)(_regexp)?$/.exec(option);
        if (rule !== null) {
          const key = rule[1] ?? '';
          const known = found[key];
          found[key] = [...(isArray(known) ? known : []), readRule(reader, rule[2] ?? '')];
        } else if (option === 'default_deny' || option === 'prefer_allow') {
          reader.noArguments();
          found[option] = true;
        } else throw reader.error(`unrecognized option '${option}'`);
      }
      return found;
    },
    write(options) {
      if (!isObject(options)) return null;
      const lines: Line[] = [];
      for (const key of ['allow', 'deny'])
        for (const rule of isArray(options[key]) ? options[key] : []) {
          const line = ruleLine(key, isObject(rule) ? rule : {});
          if (line === null) return null;
          lines.push(line);
        }
      for (const key of ['default_deny', 'prefer_allow']) if (options[key] === true) lines.push({ words: [key] });
      return [lines.length === 0 ? {} : { block: lines }];
    },
  },
);

/** Converts a rule to a Caddyfile line. All parts must be strings, or all must be regular expressions. */
function ruleLine(key: string, rule: JsonObject): Line | null {
  const names = Object.keys(rule);
  const isRegexp = names.some((name) => name.endsWith('_regexp'));
  if (isRegexp && names.some((name) => !name.endsWith('_regexp'))) return null;
  const suffix = isRegexp ? '_regexp' : '';
  const all = ruleFields.map((name) => words(rule[`${name}${suffix}`])[0] ?? '*');
  while (all.length > 1 && all.at(-1) === '*') all.pop();
  return { words: [`${key}${suffix}`, ...all] };
}
