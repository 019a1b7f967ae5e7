/** The `log [NAME] { … }` directive, which configures the access logs of a site. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  accessLog,
  handler,
  isOfSite,
  listAt,
  logLines,
  objectAt,
  readLog,
  serversOf,
  siteLogOptions,
  words,
  type Line,
  type WriteSite,
  type WrittenSite,
  type Writer,
  type Written,
} from '@sluice/caddyfile';

const counter = 'logs of sites';

export const log = handler(
  '',
  {
    shown: ['[<name>]'],
    matcher: false,
    block: siteLogOptions,
    help: 'Enables access logs for the site.',
    example: 'log {\n\toutput file /var/log/site.log\n\tformat console\n}\nrespond hi',
  },
  {
    /** Logs without a name are numbered consecutively across the file. */
    directive(reader) {
      const count = reader.options.get<number>(counter) ?? 0;
      const named = readLog(reader, { global: false, count, names: [] });
      if (named.log !== null && named.name === `log${count}`) reader.options.set(counter, count + 1);
      return [{ pile: 'custom_log', value: named }];
    },
  },
);

/** Writes `log [NAME] { … }` for each logger of the site. */
export const writeLog: WriteSite = async (given, document, writer) => {
  const { logs } = given.server;
  const site = { ...given, hosts: given.served };
  const defined = objectAt(document, ['logging', 'logs']);
  const lines: Written[] = [];
  if (isObject(logs) && isLogged(site, logs)) {
    for (const name of loggersOf(site, logs)) lines.push(await logLine(name, [], defined, writer));
    for (const [name, hosts] of foreign(site, logs)) {
      const named = [{ words: ['hostnames', ...hosts] }];
      lines.push(await logLine(name, named, defined, writer));
    }
    for (const name of unused(site, document))
      lines.push(await logLine(name, [{ words: ['no_hostname'] }], defined, writer));
  }
  return lines;
};

async function logLine(name: string, first: readonly Line[], defined: JsonObject, writer: Writer): Promise<Written> {
  const log = objectAt(defined[name], []);
  const fields = isOfSite(name, log) ? log : {};
  const block = [...first, ...(await logLines(fields, accessLog(name), writer))];
  const named = name === '' ? [] : [name];
  return block.length === 0 ? { words: named } : { words: named, block };
}

function isLogged({ hosts, hasCatchAll }: WrittenSite, logs: JsonObject): boolean {
  if (hasCatchAll && logs['skip_unmapped_hosts'] === true) return false;
  const skipped = words(listAt(logs, ['skip_hosts'])).map(withoutPort);
  return hosts.length === 0 || !hosts.every((host) => skipped.includes(host));
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

/**
 * Returns the loggers that apply to all hosts of a site. A catch-all site uses the default logger, which applies to hosts without a
 * separate logger.
 */
function loggersOf({ hosts, hasCatchAll }: WrittenSite, logs: JsonObject): readonly string[] {
  const names = objectAt(logs, ['logger_names']);
  const [host] = hosts;
  if (hasCatchAll || host === undefined) return [words(logs['default_logger_name']).join('')];
  return words(names[host]).filter((name) => hosts.every((each) => words(names[each]).includes(name)));
}

/** Returns the loggers whose hosts belong to several sites. Only the first of these sites writes such a logger. */
function foreign(site: WrittenSite, logs: JsonObject): ReadonlyMap<string, readonly string[]> {
  const own = new Set(site.hasCatchAll ? [] : site.hosts);
  const common = new Set(loggersOf(site, logs));
  const others = hostsOfOthers(site);
  const found = new Map<string, string[]>();
  for (const [host, names] of Object.entries(objectAt(logs, ['logger_names']))) {
    if (others.has(host)) continue;
    for (const name of words(names)) {
      if (own.has(host) && common.has(name)) continue;
      found.set(name, [...(found.get(name) ?? []), host]);
    }
  }
  return found;
}

/** Returns the hosts that appear in routes of the same server but do not belong to this site. */
function hostsOfOthers({ server, hosts }: WrittenSite): ReadonlySet<string> {
  const all = listAt(server, ['routes']).flatMap((route) =>
    listAt(route, ['match']).flatMap((set) => words(listAt(set, ['host']))),
  );
  return new Set(all.filter((host) => !hosts.includes(host)));
}

/** Returns the loggers that no server uses. Routes may still refer to them, so the first site writes them. */
function unused({ isFirst }: WrittenSite, document: Json): readonly string[] {
  if (!isFirst) return [];
  const used = new Set(
    serversOf(document).flatMap(([, server]) => [
      ...words(objectAt(server, ['logs'])['default_logger_name']),
      ...Object.values(objectAt(server, ['logs', 'logger_names'])).flatMap((each) => words(each)),
    ]),
  );
  const logs = Object.entries(objectAt(document, ['logging', 'logs']));
  return logs.filter(([name, each]) => isOfSite(name, each) && !used.has(name)).map(([name]) => name);
}
