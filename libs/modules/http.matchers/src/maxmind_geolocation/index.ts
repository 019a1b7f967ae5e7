/** `http.matchers.maxmind_geolocation`: matches the country, subdivision, metro code or autonomous system of the client IP. */
import { isObject, messageOf, type Json } from '@sluice/base';
import { httpMatchers, resolveGlobalText, type HttpMatcher } from '@sluice/http-app';
import { defineModule, options, string, strings } from '@sluice/registry';
import { GeoDatabase, geoDatabases, type GeoRecord } from './database.ts';

const unknown = ['UNK'];

/** Functions that read the matched values from a GeoIP record, keyed by option. */
const facts = {
  countries: (record: GeoRecord) => list(text(at(record, 'country', 'iso_code'))),
  subdivisions: (record: GeoRecord) => {
    const all = at(record, 'subdivisions');
    return list(...(Array.isArray(all) ? all.map((each: Json) => text(at(each as GeoRecord, 'iso_code'))) : []));
  },
  metro_codes: (record: GeoRecord) => list(text(at(record, 'location', 'metro_code'))),
  asn: (record: GeoRecord) => list(text(at(record, 'autonomous_system_number'))),
} as const;

const names = ['countries', 'subdivisions', 'metro_codes', 'asn'] as const;

const help = {
  countries: ['a country', 'country codes (ISO 3166-1), such as `AT`'],
  subdivisions: ['a subdivision', 'subdivision codes (ISO 3166-2, without the country prefix), such as `TX`'],
  metro_codes: ['a metro area', 'metro codes (United States), such as `623`'],
  asn: ['an autonomous system', 'autonomous system numbers, such as `64496`'],
} as const;

const allow = (name: keyof typeof help) => {
  const [kind, codes] = help[name];
  return strings(
    `Allowed ${codes}. Client IP addresses match if the database maps them to one of these. \`UNK\` stands for addresses without ${kind} in the database.`,
  );
};
const deny = (name: keyof typeof help) => {
  const [kind, codes] = help[name];
  return strings(
    `Denied ${codes}. Client IP addresses do not match if the database maps them to one of these. \`UNK\` stands for addresses without ${kind} in the database. If set, \`allow_${name}\` is ignored.`,
  );
};

export const maxmindGeolocationModule = defineModule(httpMatchers, {
  name: 'maxmind_geolocation',
  effect: 'pure',
  help: 'Matches requests by the location or network of the client IP address, using a MaxMind database (GeoLite2 or GeoIP2). Compatible with the Caddy plugin porech/caddy-maxmind-geolocation.',
  config: options({
    db_path: string(
      'Path of the MaxMind database file (`.mmdb`). The file is reloaded within 10 seconds of a change. Required.',
    ),
    allow_countries: allow('countries'),
    deny_countries: deny('countries'),
    allow_subdivisions: allow('subdivisions'),
    deny_subdivisions: deny('subdivisions'),
    allow_metro_codes: allow('metro_codes'),
    deny_metro_codes: deny('metro_codes'),
    allow_asn: allow('asn'),
    deny_asn: deny('asn'),
  }),
  async provision(config, context): Promise<HttpMatcher> {
    const path = resolveGlobalText(config.db_path ?? '', 'keep');
    if (path === '') throw context.error('requires a database path', 'db_path');
    let database: GeoDatabase;
    try {
      database = await context.acquire(geoDatabases, path, () => GeoDatabase.open(path, context.log));
    } catch (error) {
      throw context.error(`cannot read the database ${path}: ${messageOf(error)}`, 'db_path');
    }
    const rules = names.flatMap((name) =>
      ruleOf(facts[name], config[`allow_${name}`] ?? [], config[`deny_${name}`] ?? []),
    );
    return {
      match: ({ clientIp }) => {
        const record = database.find(clientIp);
        for (const rule of rules) if (!rule(record)) return false;
        return true;
      },
    };
  },
});

type Rule = (record: GeoRecord) => boolean;

/** Returns the rule for allowed and denied values. As in the plugin, if any values are denied, the list of allowed values is ignored. */
function ruleOf(
  valuesOf: (record: GeoRecord) => readonly string[],
  allowed: readonly string[],
  denied: readonly string[],
): Rule[] {
  if (denied.length > 0) return [(record) => !valuesOf(record).some((each) => denied.includes(each))];
  if (allowed.length > 0) return [(record) => valuesOf(record).some((each) => allowed.includes(each))];
  return [];
}

function at(record: GeoRecord, ...path: readonly string[]): unknown {
  let value: unknown = record;
  for (const name of path) {
    if (!isObject(value as Json)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

function text(value: unknown): string {
  return typeof value === 'string' || (typeof value === 'number' && value !== 0) ? String(value) : '';
}

function list(...values: readonly string[]): readonly string[] {
  const found = values.filter((each) => each !== '');
  return found.length === 0 ? unknown : found;
}
