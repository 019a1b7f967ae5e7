/** Translates nginx directives to a JSON configuration. */
import { own, type Json } from '@sluice/base';
import type { Adaptation } from './adaptation.ts';
import { defineGeo, defineSplit } from './definitions/geo.ts';
import { defineBuiltIn, defineMap } from './definitions/map.ts';
import { checkDirectives } from './directives/check.ts';
import { node, type Node } from './json.ts';
import { problemAt } from './problem.ts';
import { Scope } from './scope.ts';
import { errorLog } from './servers/logs.ts';
import { nameMatches } from './servers/names.ts';
import { translateServers, type SiteNames } from './servers/servers.ts';
import { translateSite } from './servers/site-routes.ts';
import { tlsApp } from './servers/tls.ts';
import { Site, type Definitions } from './site.ts';
import { argument, type Directive } from './syntax/directive.ts';

type Define = (adaptation: Adaptation, defined: Definitions, directive: Directive) => void;

/** Directives in the `http` block that define variables or upstreams. */
const definitions: Readonly<Record<string, Define>> = {
  map: defineMap,
  geo: defineGeo,
  split_clients: defineSplit,
  upstream: (adaptation, _, directive) => void adaptation.upstreams.set(argument(directive, 0, 'a name'), directive),
};

export function translateConfiguration(adaptation: Adaptation, directives: readonly Directive[]): Json {
  checkDirectives(adaptation, directives);
  adaptation.namesUri = nameUri(directives);
  const main = new Scope(
    'http',
    directives.filter(({ name }) => name !== 'http'),
    null,
  );
  const defined: Definitions = new Map();
  defineBuiltIn(defined);
  const sites: Site[] = [];
  for (const block of directives.filter(({ name }) => name === 'http')) {
    if (block.block === null) throw problemAt(block, 'http requires a block: http { … }');
    const http = new Scope('http', block.block, main);
    collect(adaptation, defined, block.block);
    for (const directive of http.own('server'))
      sites.push(new Site(adaptation, defined, { directive, http, id: siteName(directive, sites) }));
  }
  // Translate server names first, because captures in their regular expressions can be used anywhere.
  const names = new Map(sites.map((site) => [site, nameMatches(site)]));
  for (const site of sites) translateSite(site);
  return document(adaptation, main, names);
}

function nameUri(directives: readonly Directive[]): boolean {
  return directives.some(
    ({ name, args, block }) =>
      (name === 'try_files' ? args.slice(-1) : args).some((text) =>
        /\$\{?(?:(?:document_)?uri|request_filename)\b/.test(text),
      ) || nameUri(block ?? []),
  );
}

/** Collects the variable and upstream definitions that servers refer to. */
function collect(adaptation: Adaptation, defined: Definitions, directives: readonly Directive[]): void {
  for (const directive of directives) {
    const define = own(definitions, directive.name);
    if (define !== undefined) define(adaptation, defined, directive);
    else if (directive.name === 'set' || directive.name === 'auth_request_set')
      adaptation.assigned.add((directive.args[0] ?? '').replace(/^\$/, ''));
    else if (directive.block !== null) collect(adaptation, defined, directive.block);
  }
}

/** Returns the first name of a server. If the name is not unique, appends a number. */
function siteName(directive: Directive, sites: readonly Site[]): string {
  const first = directive.block?.find(({ name }) => name === 'server_name')?.args[0] ?? 'server';
  const base = /^[\w*.-]+$/.test(first) && first !== '_' ? first.replace(/^\*?\./, '') : 'server';
  const taken = new Set(sites.map(({ id }) => id));
  for (let i = 1; ; i++) {
    const id = i === 1 ? base : `${base}#${i}`;
    if (!taken.has(id)) return id;
  }
}

function document(adaptation: Adaptation, main: Scope, names: SiteNames): Node {
  const sites = [...names.keys()];
  const servers = translateServers(adaptation, names);
  errorLog(adaptation, sites[0]?.scope.parent ?? main);
  const tls = tlsApp(adaptation);
  return node({
    logging: adaptation.logs.size === 0 ? undefined : { logs: Object.fromEntries(adaptation.logs) },
    apps: node({ http: sites.length === 0 ? undefined : { servers }, tls }),
  });
}
