/** Converts container labels to a Caddyfile, in the dialect of caddy-docker-proxy. */
import { messageOf, SluiceError } from '@sluice/base';
import { TextTemplate, type Functions } from '@sluice/text-template';
import { argumentsOf, directive, mergeDirectives, type Directive } from './directive.ts';

/** Properties of a container that its labels can refer to. */
export interface LabeledContainer {
  /** Unique ID of the container. The labels of a container with a given ID never change. */
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Container addresses that the proxy can reach. */
  readonly addresses: readonly string[];
  /** Value of `.` in the templates of label values. */
  readonly data: unknown;
}

/** Reports whether label conversion produces the same result for two containers. The labels of a container with a given ID never change. */
export function isSameContainer(one: LabeledContainer, other: LabeledContainer): boolean {
  return one.id === other.id && one.name === other.name && isEqual(one.addresses, other.addresses);
}

/**
 * Returns the blocks that a container's labels define: sites, snippets, and global options. `caddy` or `caddy_1` is the address of a block,
 * and `caddy.a.b` is the `b` directive in the block `a`. Throws a `SluiceError` that names the label if a template is invalid.
 */
export function blocksOf(container: LabeledContainer, labelPrefix: string): Directive[] {
  const functions = templateFunctions(container);
  const roots = new Map<string, Directive>();
  for (const [label, value] of Object.entries(container.labels)) {
    const [first = '', ...segments] = segmentsOf(label);
    if (!isRoot(first, labelPrefix)) continue;
    const known = roots.get(first);
    const root = known ?? { ...directive('', label), key: first };
    if (known === undefined) roots.set(first, root);
    const target = segments.reduce((parent, segment) => childOf(parent, segment, label), root);
    target.label = label;
    target.args = argumentsOf(expanded(label, value, functions, container.data));
  }
  const merged: Directive[] = [];
  mergeDirectives(merged, [...roots.values()]);
  return merged;
}

export function hasLabels(labels: Readonly<Record<string, string>>, labelPrefix: string): boolean {
  return Object.keys(labels).some((label) => isRoot(segmentsOf(label)[0] ?? '', labelPrefix));
}

function isRoot(segment: string, labelPrefix: string): boolean {
  return segment.startsWith(labelPrefix) && /^(?:_\d+)?$/.test(segment.slice(labelPrefix.length));
}

/** Splits a label name at dots. A dot after a backslash belongs to the segment. */
function segmentsOf(label: string): readonly string[] {
  return label.split(/(?<!\\)\./).map((segment) => segment.replaceAll(String.raw`\.`, '.'));
}

function childOf(parent: Directive, key: string, label: string): Directive {
  const known = parent.children.find((child) => child.key === key);
  if (known !== undefined) return known;
  const made = directive(key, label);
  parent.children.push(made);
  return made;
}

function expanded(label: string, value: string, functions: Functions, data: unknown): string {
  if (!value.includes('{{')) return value;
  try {
    return TextTemplate.parse(label, value, { functions }).execute(data);
  } catch (error) {
    throw new SluiceError('ERR_LABEL', `label ${label}: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the template functions. `upstreams [http|https|h2c] [port]` returns the container's addresses. */
function templateFunctions({ addresses }: LabeledContainer): Functions {
  return {
    upstreams: (...words: unknown[]): string => {
      const texts = words.map(String);
      const port = texts.find((word) => /^\d+$/.test(word));
      const scheme = texts.find((word) => /^[a-z][\da-z+]*$/.test(word));
      const end = port === undefined ? '' : `:${port}`;
      const begin = scheme === undefined ? '' : `${scheme}://`;
      return addresses.map((address) => `${begin}${hostOf(address)}${end}`).join(' ');
    },
    http: () => 'http',
    https: () => 'https',
    h2c: () => 'h2c',
  };
}

function hostOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** Reports whether two lists have equal entries in the same order. */
export function isEqual<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((each, i) => each === other[i]);
}
