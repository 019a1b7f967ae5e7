/** Converts the labels of all containers to configuration fragments, one per site. */
import { compareText, messageOf, type JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { linesOf, mergeDirectives, type Directive } from './directive.ts';
import { blocksOf, isEqual, isSameContainer, type LabeledContainer } from './labels.ts';

/** A site that was generated from labels. */
export interface GeneratedSite {
  readonly key: string;
  readonly caddyfile: string;
  /** Label for each line of the Caddyfile, starting with line 1. */
  readonly labels: readonly string[];
  readonly containers: readonly string[];
}

/** A container with invalid labels. */
export interface Problem {
  readonly container: string;
  readonly error: string;
}

export interface GeneratedSites {
  readonly sites: readonly GeneratedSite[];
  readonly problems: readonly Problem[];
}

/** Parsed blocks of a container, or the reason why its labels are invalid. */
interface Parsed {
  readonly container: LabeledContainer;
  readonly blocks: readonly Directive[];
  readonly error: string | null;
}

interface Generated {
  readonly site: GeneratedSite;
  readonly blocks: readonly Directive[];
}

/**
 * Generates the sites of all containers, and merges sites with the same addresses. Each site includes the global options and snippets of
 * all containers. It can therefore be adapted separately, and an error in one site doesn't affect others. Reuses the previous result.
 * Containers with the same ID and addresses are not parsed again, and unchanged sites are the same objects.
 */
export class SiteGenerator {
  readonly #labelPrefix: string;
  #parsed = new Map<string, Parsed>();
  #generated = new Map<string, Generated>();

  constructor(labelPrefix: string) {
    this.#labelPrefix = labelPrefix;
  }

  generate(containers: readonly LabeledContainer[]): GeneratedSites {
    const parsed = new Map(containers.map((container) => [container.id, this.#parse(container)]));
    this.#parsed = parsed;
    const problems: Problem[] = [];
    const shared: Directive[] = [];
    const sites = new Map<string, { readonly blocks: Directive[]; readonly containers: string[] }>();
    for (const { container, blocks, error } of [...parsed.values()].sort(byName)) {
      if (error !== null) problems.push({ container: container.name, error });
      for (const block of blocks) {
        if (isShared(block)) shared.push(block);
        else {
          const key = block.args.join(' ');
          const site = sites.get(key) ?? { blocks: [], containers: [] };
          sites.set(key, site);
          site.blocks.push(block);
          if (site.containers.at(-1) !== container.name) site.containers.push(container.name);
        }
      }
    }
    const generated = new Map<string, Generated>();
    for (const [key, { blocks, containers: names }] of sites) {
      const all = [...shared, ...blocks];
      const known = this.#generated.get(key);
      generated.set(
        key,
        known !== undefined && isEqual(known.blocks, all) ? known : { site: siteOf(key, all, names), blocks: all },
      );
    }
    this.#generated = generated;
    return { sites: [...generated.values()].map(({ site }) => site), problems };
  }

  #parse(container: LabeledContainer): Parsed {
    const known = this.#parsed.get(container.id);
    if (known !== undefined && isSameContainer(known.container, container)) return known;
    try {
      return { container, blocks: blocksOf(container, this.#labelPrefix), error: null };
    } catch (error) {
      return { container, blocks: [], error: messageOf(error) };
    }
  }
}

function siteOf(key: string, blocks: readonly Directive[], containers: readonly string[]): GeneratedSite {
  const merged: Directive[] = [];
  mergeDirectives(merged, blocks);
  const lines = linesOf(merged);
  return {
    key,
    caddyfile: lines.map(({ text }) => `${text}\n`).join(''),
    labels: lines.flatMap(({ text, label }) => text.split('\n').map(() => label)),
    containers,
  };
}

function byName(one: Parsed, other: Parsed): number {
  return compareText(one.container.name, other.container.name);
}

function isShared({ args: [first] }: Directive): boolean {
  return first === undefined || /^&?\(.*\)$/.test(first);
}

/** Returns a description of a site's containers for error messages. */
export function objectOf({ containers }: GeneratedSite): string {
  return `${containers.length === 1 ? 'container' : 'containers'} ${containers.join(', ')}`;
}

/** Adds a label to an adapter error: the label that produced the affected line. */
export function withLabel(message: string, { labels }: GeneratedSite): string {
  const line = Number(/(?:line |Caddyfile:)(\d+)/.exec(message)?.[1] ?? 0);
  const label = labels[line - 1];
  return label === undefined ? message : `label ${label}: ${message}`;
}

export function fragmentOf(site: GeneratedSite, config: JsonObject): Fragment {
  return { object: objectOf(site), config, rank: rankOf(site.key) };
}

/** Returns the sort key of a site. As in a Caddyfile, longer hosts come first, and wildcards come after exact hosts. */
function rankOf(key: string): string {
  const [address = ''] = key.split(' ');
  const wildcard = address.includes('*') ? '1' : '0';
  return `${wildcard} ${String(9999 - Math.min(address.length, 9999)).padStart(4, '0')} ${key}`;
}
