/** Parses the addresses, matchers, and directives of server blocks into sites. */
import { itemAt } from '@sluice/base';
import { caddyfileError, errorAt, errorOnLine } from '../errors.ts';
import type { CaddyfileToken } from '../token.ts';
import type { ServerBlock } from '../parser/site.ts';
import type { MatcherSetConfig } from './config-value.ts';
import { DirectiveReader, rethrown, runDirective, type Assembly, type SiteScope } from './directive-reader.ts';
import { isDefinition, readDefinition } from './matcher-definitions.ts';
import { invokedRoutes, neededRoutes, type NamedRoute } from './named-routes.ts';
import { expandSegment } from './shorthands.ts';
import { parseSiteAddress } from './site-address.ts';
import { Site } from './site.ts';

/** Throws if the key of a server block is not a valid site address. */
export function checkKeys(block: ServerBlock, assembly: Assembly): void {
  for (const key of block.keys) {
    if (key.text.startsWith('@')) {
      throw errorAt(
        key,
        `request matchers may not be defined globally, they must be in a site block; found ${key.text}`,
      );
    }
    if (assembly.directive(key.text) !== undefined) {
      throw errorOnLine(
        key,
        `parsed '${key.text}' as a site address, but it is a known directive; directives must appear in a site block`,
      );
    }
  }
}

export function expandBlock(block: ServerBlock): ServerBlock {
  return { ...block, segments: block.segments.map(expandSegment) };
}

export function readSite(block: ServerBlock, assembly: Assembly, named: ReadonlyMap<string, NamedRoute>): Site {
  const addresses = block.keys.map(parseSiteAddress);
  const matchers = new Map<string, MatcherSetConfig>();
  for (const segment of block.segments) {
    if (isDefinition(itemAt(segment, 0))) readDefinition(segment, matchers, assembly.modules);
  }
  const invoked = new Set<string>();
  const state = new Map<string, unknown>([[invokedRoutes, invoked]]);
  const scope: SiteScope = { assembly, addresses, matchers, state };
  const site = new Site(block, addresses, new Map());
  for (const segment of block.segments) {
    const [first] = segment as readonly [CaddyfileToken];
    if (isDefinition(first)) continue;
    const name = first.text;
    const read = assembly.directive(name);
    if (read === undefined) throw errorOnLine(first, unknown(name, block, assembly));
    try {
      for (const value of runDirective(read, name, new DirectiveReader(segment, scope))) site.add(value);
    } catch (error) {
      throw rethrown(error, (message) =>
        caddyfileError(`parsing caddyfile tokens for '${name}': ${message}`, error, first),
      );
    }
  }
  if (invoked.size > 0)
    site.add({ pile: 'named_route', value: neededRoutes(invoked, named, (name) => invocationOf(name, block)) });
  return site;
}

/** Returns the position at which a site invokes a named route. If only another named route invokes it, returns the beginning of the site. */
function invocationOf(name: string, { segments, keys }: ServerBlock): CaddyfileToken | undefined {
  const tokens = segments.flat();
  return tokens.find(({ text }, at) => text === name && tokens[at - 1]?.text === 'invoke') ?? keys[0];
}

function unknown(name: string, { braced }: ServerBlock, assembly: Assembly): string {
  const hint = braced
    ? ''
    : '\nDid you mean to define a second site? If so, you must use curly braces around each site to separate their configurations.';
  return `unrecognized directive: ${name}${hint}${assembly.suggestion(name)}`;
}
