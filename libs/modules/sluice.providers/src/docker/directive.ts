/** Caddyfile directives that are generated from container labels. */
import { compareText } from '@sluice/base';
import { tokenize } from '@sluice/caddyfile';

/** A generated Caddyfile directive, a site block, or the block of global options. */
export interface Directive {
  /** Key of the label segment. It includes the order prefix and the isolation suffix, which distinguishes directives with the same name. */
  readonly key: string;
  /** Directive name without prefix and suffix. Empty for top-level blocks. */
  readonly name: string;
  /** Order prefix: the number before the name, by which directives are sorted. Infinity if there is none. */
  readonly order: number;
  args: readonly string[];
  /** Label that messages refer to. It is the label that set the arguments, or else the first label of a nested directive. */
  label: string;
  readonly children: Directive[];
}

export interface Line {
  readonly text: string;
  readonly label: string;
}

const prefix = /^(\d+)_/;
const suffix = /_\d+$/;
/** Directives whose upstreams are merged if several containers define the directive for the same requests. */
const joinedDirectives = new Set(['reverse_proxy', 'php_fastcgi']);

export function directive(key: string, label: string): Directive {
  const [, order] = prefix.exec(key) ?? [];
  const name = key.replace(prefix, '').replace(suffix, '');
  return {
    key,
    name,
    order: order === undefined ? Number.POSITIVE_INFINITY : Number(order),
    args: [],
    label,
    children: [],
  };
}

/** Splits a label value into arguments, with the syntax of a Caddyfile. */
export function argumentsOf(value: string): readonly string[] {
  return tokenize(value, 'label').map(({ text }) => text);
}

/** Adds directives to `into`. Merges equal blocks, and combines the upstreams of proxies. */
export function mergeDirectives(into: Directive[], added: readonly Directive[]): void {
  for (const each of added) {
    const same = into.find((other) => isSame(other, each));
    if (same === undefined) into.push(copyOf(each));
    else {
      if (joinedDirectives.has(each.name)) same.args = [...new Set([...same.args, ...each.args])];
      mergeDirectives(same.children, each.children);
    }
  }
}

function copyOf(each: Directive): Directive {
  return { ...each, children: each.children.map(copyOf) };
}

function isSame(one: Directive, other: Directive): boolean {
  if (one.name !== other.name) return false;
  if (joinedDirectives.has(one.name)) return matcherOf(one) === matcherOf(other);
  return one.args.length === other.args.length && one.args.every((argument, i) => argument === other.args[i]);
}

function matcherOf({ args: [first = ''] }: Directive): string {
  return /^[@/*]/.test(first) ? first : '';
}

/** Formats directives as Caddyfile lines. Matchers come first. The others are sorted by order prefix, name, arguments and key. */
export function linesOf(directives: readonly Directive[], indent = ''): Line[] {
  return directives.toSorted(compareDirectives).flatMap((each) => {
    const words = [...(each.name === '' ? [] : [each.name]), ...each.args.map(quoted)];
    if (each.children.length === 0 && each.name !== '') return [{ text: indent + words.join(' '), label: each.label }];
    return [
      { text: `${indent}${[...words, '{'].join(' ')}`, label: each.label },
      ...linesOf(each.children, `${indent}\t`),
      { text: `${indent}}`, label: each.label },
    ];
  });
}

function compareDirectives(one: Directive, other: Directive): number {
  return (
    rankOf(one) - rankOf(other) ||
    compareNumbers(one.order, other.order) ||
    compareText(one.name, other.name) ||
    compareText(one.args.join(' '), other.args.join(' ')) ||
    compareText(one.key, other.key)
  );
}

/**
 * Returns the sort rank of a directive. In a file, the order is global options, snippets, sites. In a block, matchers come before other
 * directives.
 */
function rankOf({ name, args: [first] }: Directive): number {
  if (name !== '') return name.startsWith('@') ? 0 : 1;
  if (first === undefined) return 0;
  return /^&?\(.*\)$/.test(first) ? 1 : 2;
}

function compareNumbers(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

function quoted(argument: string): string {
  if (argument !== '' && !/[\s"`]/.test(argument)) return argument;
  if (!argument.includes('`') && /["\n]/.test(argument)) return `\`${argument}\``;
  return `"${argument.replaceAll('"', String.raw`\"`)}"`;
}
