/** Caddyfile syntax: `maxmind_geolocation { db_path …; allow_countries …; … }` */
import { ignored, list, term } from '@sluice/caddyfile';
import { matcher } from '../common/matcher.ts';

const lists = ['countries', 'subdivisions', 'metro_codes', 'asn'].flatMap((name) => [`allow_${name}`, `deny_${name}`]);
const unknown = 'unexpected config parameter %';

export const maxmindGeolocation = matcher('maxmind_geolocation', {
  line: ignored,
  block: {
    db_path: term({
      shown: '<file>',
      read(reader) {
        const [path = '', extra] = reader.remaining();
        if (extra !== undefined) throw reader.error(unknown.replace('%', () => extra));
        return path;
      },
    }),
    ...Object.fromEntries(
      lists.map((name) => [name, list(name.endsWith('asn') ? '<number>…' : '<code>…', { adds: true, empty: true })]),
    ),
  },
  unknown,
  // The plugin's adapter writes all options, including unset ones.
  unset: { db_path: '', ...Object.fromEntries(lists.map((name) => [name, null])) },
  example:
    '@austria {\n\tmaxmind_geolocation {\n\t\tdb_path /usr/share/GeoIP/GeoLite2-Country.mmdb\n\t\tallow_countries AT\n\t}\n}\nrespond @austria Servus',
});
