/** Translates `map`, which defines a variable whose value depends on another variable. */
import type { Adaptation } from '../adaptation.ts';
import type { Node } from '../json.ts';
import type { Definitions } from '../site.ts';
import { argument, type Directive } from '../syntax/directive.ts';
import { variablesOf } from '../text/expand.ts';
import { literal, regularExpression } from '../text/regular-expression.ts';
import { define } from './define.ts';

/** Options in a `map` block. All other entries map values. */
const options: ReadonlySet<string> = new Set(['default', 'hostnames', 'volatile', 'include']);

export function defineMap(adaptation: Adaptation, defined: Definitions, directive: Directive): void {
  const source = argument(directive, 0, 'a value and a variable');
  const name = argument(directive, 1, 'a variable after the value').replace(/^\$/, '');
  // Variables that depend on the response, which is not available when the map is evaluated.
  const late = /\$\{?(?:sent_http_|upstream_)/.test(directive.args[0] ?? '');
  const placeholder = late ? `{nginx.response.map.${name}}` : `{nginx.map.${name}}`;
  define(defined, name, placeholder, (text) =>
    mapHandlers({ adaptation, directive, placeholder, text, labels: new Map() }, source),
  );
}

interface Building {
  readonly adaptation: Adaptation;
  readonly directive: Directive;
  readonly placeholder: string;
  readonly text: (source: string, at: Directive) => string;
  /** Values that contain variables, by label. A second map replaces the labels with these values. */
  readonly labels: Map<string, string>;
}

/**
 * Returns the handlers for a `map`. Values for regular expressions can contain captures, but no placeholders. A value with variables is
 * therefore represented by a label, which a second map replaces.
 */
function mapHandlers(building: Building, source: string): Node[] {
  const { placeholder, labels } = building;
  const first = mapHandler(building, source);
  if (labels.size === 0) return [first];
  const found = placeholder.replace('}', '.found}');
  return [
    { ...first, destinations: [found] },
    {
      handler: 'map',
      source: found,
      destinations: [placeholder],
      mappings: [...labels].map(([input, value]) => ({ input, outputs: [value] })),
      defaults: [found],
    },
  ];
}

function mapHandler(building: Building, source: string): Node {
  const { directive, placeholder, text } = building;
  const entries = directive.block ?? [];
  const fallback = entries.find(({ name }) => name === 'default');
  const hostnames = entries.some(({ name }) => name === 'hostnames');
  const values = entries.filter(({ name }) => !options.has(name));
  const expressions = values.filter(({ name }) => name.startsWith('~'));
  const plain = values.filter(({ name }) => !name.startsWith('~'));
  return {
    handler: 'map',
    source: text(source, directive),
    destinations: [placeholder],
    mappings: [
      ...plain.filter(({ name }) => !(hostnames && isWildcard(name))).flatMap((entry) => plainMapping(building, entry)),
      ...(hostnames
        ? plain
            .filter(({ name }) => isWildcard(name))
            .sort(byLength)
            .map((entry) => hostMapping(building, entry))
        : []),
      ...expressions.map((entry) => expressionMapping(building, entry)),
    ],
    defaults: [fallback === undefined ? '' : text(fallback.args[0] ?? '', fallback)],
  };
}

function isWildcard(name: string): boolean {
  return /^\*?\.|\.\*$/.test(name);
}

function byLength(a: Directive, b: Directive): number {
  return b.name.length - a.name.length;
}

/** Returns the mapping for a plain string, which is matched case-insensitively. */
function plainMapping(building: Building, entry: Directive): Node[] {
  const key = entry.name.replace(/^\\/, '');
  const value = entry.args[0] ?? '';
  const exact: Node = { input: key, outputs: [building.text(value, entry)] };
  if (!/[a-z]/i.test(key)) return [exact];
  const output = variablesOf(value).length > 0 ? labelOf(building, entry) : constant(value);
  return [exact, { input_regexp: `(?i)^${literal(key)}$`, outputs: [output] }];
}

function hostMapping(building: Building, entry: Directive): Node {
  const { name } = entry;
  const pattern = name.endsWith('.*')
    ? `^${literal(name.slice(0, -1))}.+$`
    : name.startsWith('*')
      ? `^.+${literal(name.slice(1))}$`
      : `^(?:.+\\.)?${literal(name.slice(1))}$`;
  return { input_regexp: `(?i)${pattern}`, outputs: [expressionValue(building, entry)] };
}

function expressionMapping(building: Building, entry: Directive): Node {
  const insensitive = entry.name.startsWith('~*');
  const pattern = regularExpression(entry, entry.name.slice(insensitive ? 2 : 1), { insensitive });
  return { input_regexp: pattern, outputs: [expressionValue(building, entry)] };
}

/** Returns the value for a regular expression: a string with captures, or a label if the value contains variables. */
function expressionValue(building: Building, entry: Directive): string {
  const value = entry.args[0] ?? '';
  const names = variablesOf(value);
  const captured = names.filter((name) => /^\d$/.test(name) || entry.name.includes(`<${name}>`));
  if (captured.length === names.length)
    return constant(value.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, '\0$1$2\0')).replaceAll(/\0(\w+)\0/g, '$${$1}');
  if (captured.length > 0)
    building.adaptation.warn(
      entry,
      `map does not support captures ($${captured.join(', $')}) combined with variables; the captures are empty`,
    );
  return labelOf(building, entry, captured);
}

function labelOf({ labels, text }: Building, entry: Directive, captured: readonly string[] = []): string {
  const label = `nginx.value.${labels.size}`;
  const value = captured.reduce(
    (all, name) => all.replaceAll(`\${${name}}`, '').replaceAll(`$${name}`, ''),
    entry.args[0] ?? '',
  );
  labels.set(label, text(value, entry));
  return label;
}

/** Escapes a value without captures, so that `$` is literal. */
function constant(value: string): string {
  return value.replaceAll('$', '$$$$');
}

/** Defines variables such as `$is_args` and `$https`, which depend on another value in the same way as a `map`. */
export function defineBuiltIn(defined: Definitions): void {
  builtIn(defined, 'is_args', { source: '{http.request.uri.query}', outputs: { '': '' }, otherwise: '?' });
  builtIn(defined, 'redirect_port', redirectPort);
  builtIn(defined, 'https', { source: '{http.request.scheme}', outputs: { https: 'on' }, otherwise: '' });
  builtIn(defined, 'ssl_protocol', {
    source: '{http.request.tls.version}',
    outputs: { 'tls1.2': 'TLSv1.2', 'tls1.3': 'TLSv1.3' },
    otherwise: '',
  });
  builtIn(defined, 'ssl_session_reused', {
    source: '{http.request.tls.resumed}',
    outputs: { true: 'r', false: '.' },
    otherwise: '',
  });
}

/** Port for redirect URLs. Empty if it is the default port of the scheme. */
const redirectPort: BuiltIn = {
  source: '{http.request.scheme}{http.request.local.port}',
  outputs: { http80: '', https443: '', http: '', https: '', http0: '', https0: '' },
  otherwise: ':{http.request.local.port}',
};

interface BuiltIn {
  readonly source: string;
  /** Output values by input value. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly otherwise: string;
}

function builtIn(defined: Definitions, name: string, { source, outputs, otherwise }: BuiltIn): void {
  const placeholder = `{nginx.${name}}`;
  const handler = {
    handler: 'map',
    source,
    destinations: [placeholder],
    mappings: Object.entries(outputs).map(([input, output]) => ({ input, outputs: [output] })),
    defaults: [otherwise],
  };
  define(defined, name, placeholder, () => [handler]);
}
