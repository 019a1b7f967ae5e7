/** `maxmind_geolocation { db_path …; allow_countries …; … }` */
import { isArray, isObject, type Json } from '@sluice/base';
import { list, syntax, text, words, type Line } from '@sluice/caddyfile';
import { eachLine } from '../common/words.ts';

const lists = ['countries', 'subdivisions', 'metro_codes', 'asn'].flatMap((name) => [`allow_${name}`, `deny_${name}`]);

export const maxmindGeolocation = syntax(
  {
    block: {
      db_path: text('<file>'),
      ...Object.fromEntries(lists.map((name) => [name, list(name.endsWith('asn') ? '<number>…' : '<code>…')])),
    },
    example:
      '@austria {\n\tmaxmind_geolocation {\n\t\tdb_path /usr/share/GeoIP/GeoLite2-Country.mmdb\n\t\tallow_countries AT\n\t}\n}\nrespond @austria Servus',
  },
  {
    read(reader): Json {
      // The plugin writes all of its options, set or not.
      const fields: Record<string, Json> = { db_path: '' };
      for (const name of lists) fields[name] = null;
      eachLine(reader, () => {
        reader.remaining();
        for (const option of reader.block()) {
          const values = reader.remaining();
          const [extra] = option === 'db_path' ? values.slice(1) : [];
          const strange = option !== 'db_path' && !lists.includes(option) ? option : extra;
          if (strange !== undefined) throw reader.error(`unexpected config parameter ${strange}`);
          if (option === 'db_path') fields[option] = values[0] ?? '';
          else if (values.length > 0) fields[option] = [...((fields[option] ?? []) as readonly Json[]), ...values];
        }
      });
      return fields;
    },
    write(options) {
      if (!isObject(options)) return null;
      const block: Line[] = [{ words: ['db_path', ...words(options['db_path'])] }];
      for (const name of lists) {
        const values = options[name];
        if (isArray(values) && values.length > 0) block.push({ words: [name, ...words(values)] });
      }
      return [{ words: [], block }];
    },
  },
);
