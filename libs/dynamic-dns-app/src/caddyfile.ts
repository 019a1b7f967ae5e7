/** Caddyfile global option `dynamic_dns { … }`. */
import { isObject, type Json } from '@sluice/base';
import {
  duration,
  entries,
  flag,
  list,
  module,
  option,
  words,
  type Block,
  type FinishConfig,
  type Line,
  type Term,
} from '@sluice/caddyfile';

/** Domain names by zone. If a zone occurs on several lines, the names on these lines are combined. */
const domains: Term = {
  ...entries('{ <zone> [<name>…] … }', { value: () => null, lines: domainLines }),
  read(reader, draft) {
    const found: Record<string, Json> = { ...(draft.get(['domains']) as Record<string, Json> | undefined) };
    for (const zone of reader.block()) {
      const names = [...words(found[zone] ?? []), ...reader.remaining()];
      // For a zone without names, Caddy's plugin writes null.
      found[zone] = names.length === 0 ? null : names;
    }
    if (Object.keys(found).length > 0) draft.put(['domains'], found);
  },
};

function domainLines(zones: Json): readonly Line[] {
  return Object.entries(isObject(zones) ? zones : {}).map(([zone, names]) => ({
    words: [zone, ...(names === null ? [] : words(names))],
  }));
}

const versions: Term = {
  ...list('ipv4|ipv6…'),
  read(reader, draft) {
    const given = reader.remaining();
    if (given.length === 0) throw reader.error('Must specify at least one version');
    const unknown = given.find((each) => each !== 'ipv4' && each !== 'ipv6');
    if (unknown !== undefined) throw reader.error(`Unsupported version: '${unknown}'`);
    draft.put(['versions'], { ipv4: given.includes('ipv4'), ipv6: given.includes('ipv6') });
  },
  write(name, { versions: known }) {
    if (!isObject(known) || Object.keys(known).length === 0) return [];
    const enabled = ['ipv4', 'ipv6'].filter((version) => known[version] !== false);
    return enabled.length === 0 ? null : [{ words: [name, ...enabled] }];
  },
};

/** Options in the order in which they are written. */
const block: Block = {
  provider: module('dns.providers', 'name', { field: 'dns_provider' }),
  domains,
  dynamic_domains: flag(),
  update_only: flag(),
  ip_source: module('dynamic_dns.ip_sources', 'source', { field: 'ip_sources', adds: true }),
  versions,
  include: list('<range>…', { adds: true, empty: true }),
  exclude: list('<range>…', { adds: true, empty: true }),
  check_interval: duration({ takes: 'more' }),
  ttl: duration({ takes: 'more' }),
};

export const dynamicDns = option({
  at: 'apps.dynamic_dns',
  block,
  unknown: null,
  finish: (fields) => ({ ...fields, versions: fields['versions'] ?? {} }),
  help: 'Dynamic DNS: updates A and AAAA records when the public IP addresses of this machine change.',
  example: 'dynamic_dns {\n\tprovider cloudflare {env.CF_API_TOKEN}\n\tdomains {\n\t\texample.com @ www\n\t}\n}',
});

export const finishDynamicDns: FinishConfig = (apps, options) => {
  apps['dynamic_dns'] = options.get<Json>('dynamic_dns') ?? {};
};
