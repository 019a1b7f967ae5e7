/** Converts the labels of all containers to fragments: one for each site. */
import type { JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { linesOf, mergeDirectives, type Directive } from './directive.ts';
import { blocksOf, type LabeledContainer } from './labels.ts';

/** A site whose Caddyfile is known. */
export interface GeneratedSite {
  readonly key: string;
  readonly caddyfile: string;
  /** Labels by line of the Caddyfile, beginning with line 1. */
  readonly labels: readonly string[];
  /** Names of the containers that define the site. */
  readonly containers: readonly string[];
}

/** A container whose labels are invalid. */
export interface Problem {
  readonly container: string;
  readonly error: string;
}

export interface GeneratedSites {
  readonly sites: readonly GeneratedSite[];
  readonly problems: readonly Problem[];
}

/**
 * Returns the sites of all containers. Sites with the same addresses are one site. Each includes the global options and
 * snippets of all containers, so that it can be adapted by itself: a mistake in one site doesn't affect others.
 */
export function sitesOf(containers: readonly LabeledContainer[], labelPrefix: string): GeneratedSites {
  const shared: Directive[] = [];
  const sites = new Map<string, { blocks: Directive[]; containers: Set<string> }>();
  const problems: Problem[] = [];
  for (const container of containers.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))) {
    try {
      for (const block of blocksOf(container, labelPrefix)) {
        if (isShared(block)) mergeDirectives(shared, [block]);
        else {
          const key = block.args.join(' ');
          const site = sites.get(key) ?? { blocks: [], containers: new Set<string>() };
          sites.set(key, site);
          mergeDirectives(site.blocks, [block]);
          site.containers.add(container.name);
        }
      }
    } catch (error) {
      problems.push({ container: container.name, error: (error as Error).message });
    }
  }
  const generated = [...sites].map(([key, { blocks, containers: names }]) => {
    const lines = linesOf([...shared, ...blocks]);
    return {
      key,
      caddyfile: lines.map(({ text }) => `${text}\n`).join(''),
      labels: lines.flatMap(({ text, label }) => text.split('\n').map(() => label)),
      containers: [...names],
    };
  });
  return { sites: generated, problems };
}

/** Returns the whole Caddyfile, as caddy-docker-proxy generates it. */
export function caddyfileOf(containers: readonly LabeledContainer[], labelPrefix: string): string {
  const blocks: Directive[] = [];
  for (const container of containers) mergeDirectives(blocks, blocksOf(container, labelPrefix));
  return linesOf(blocks)
    .map(({ text }) => `${text}\n`)
    .join('');
}

function isShared({ args: [first] }: Directive): boolean {
  return first === undefined || /^&?\(.*\)$/.test(first);
}

/** Describes the containers of a site, as their owner calls them. */
export function objectOf({ containers }: GeneratedSite): string {
  return `${containers.length === 1 ? 'container' : 'containers'} ${containers.join(', ')}`;
}

/** Names the label of the line that an error of the adapter is about. */
export function withLabel(message: string, { labels }: GeneratedSite): string {
  const line = Number(/(?:line |Caddyfile:)(\d+)/.exec(message)?.[1] ?? 0);
  const label = labels[line - 1];
  return label === undefined ? message : `label ${label}: ${message}`;
}

export function fragmentOf(site: GeneratedSite, config: JsonObject): Fragment {
  return { object: objectOf(site), config, rank: rankOf(site.key) };
}

/** Orders sites like a Caddyfile: longer hosts first, wildcards after exact hosts. */
function rankOf(key: string): string {
  const [address = ''] = key.split(' ');
  const wildcard = address.includes('*') ? '1' : '0';
  return `${wildcard} ${String(9999 - Math.min(address.length, 9999)).padStart(4, '0')} ${key}`;
}
