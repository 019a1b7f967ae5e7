/** `maxmind_geolocation { db_path …; allow_countries …; … }` */
import { isArray, isObject, type Json } from '@sluice/base';
import { note, syntax, words, type Line } from '@sluice/caddyfile';
import { eachLine } from '../common/words.ts';

const lists = ['countries', 'subdivisions', 'metro_codes', 'asn'].flatMap((name) => [`allow_${name}`, `deny_${name}`]);

export const maxmindGeolocation = syntax(
  {
    block: {
      db_path: note('<file>', 'Database file (`.mmdb`). Required.'),
      allow_countries: note('<code>…', 'Matches addresses in these countries. `UNK` stands for unknown.'),
      deny_countries: note('<code>…', 'Matches addresses that are not in these countries.'),
      allow_subdivisions: note('<code>…', 'Matches addresses in these subdivisions.'),
      deny_subdivisions: note('<code>…', 'Matches addresses that are not in these subdivisions.'),
      allow_metro_codes: note('<code>…', 'Matches addresses with these metro codes.'),
      deny_metro_codes: note('<code>…', 'Matches addresses without these metro codes.'),
      allow_asn: note('<number>…', 'Matches addresses of these autonomous systems.'),
      deny_asn: note('<number>…', 'Matches addresses of other autonomous systems.'),
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
