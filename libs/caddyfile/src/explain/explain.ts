/** Explains the order of directives in each site, for `sluice adapt --explain`. */
import type { ConfigValue } from '../http/config-value.ts';
import { orderedName } from '../http/ordered-name.ts';
import { exclusive } from '../http/route-list.ts';
import { sortRoutes } from '../http/route-order.ts';
import { originOf } from '../sources/origins.ts';
import { startsLine, type CaddyfileToken } from '../token.ts';
import type { DirectiveList, OrderTrace, SiteTrace } from '../http/order-trace.ts';
import { expansionOf } from './expansion.ts';
import { reasonFor, type OrderRules } from './reasons.ts';

/** Maximum length of a directive that is shown in full, in characters. */
const maxWidth = 60;

export function explainOrder(trace: OrderTrace, rules: OrderRules): string {
  const explainer = new Explainer(trace, rules);
  return trace.sites.map((site) => explainer.site(site)).join('\n');
}

class Explainer {
  readonly #trace: OrderTrace;
  readonly #rules: OrderRules;

  constructor(trace: OrderTrace, rules: OrderRules) {
    this.#trace = trace;
    this.#rules = rules;
  }

  site(site: SiteTrace): string {
    const { block, errors } = site;
    const title = `${block.keys.map(({ text }) => text).join(' ')} (${placeOf(block.keys[0])})`;
    const lines = [title, ...this.#list(site, '  ')];
    if (errors.length > 0) lines.push('  on errors:', ...this.#errors(errors));
    return `${lines.join('\n')}\n`;
  }

  /** Explains error routes. Routes for specific status codes come first, with a separate list for each status code. */
  #errors(errors: readonly ConfigValue[]): string[] {
    const isForAll = (value: ConfigValue): boolean => !isCertain(value);
    const sorted = [...errors.filter(isCertain), ...errors.filter(isForAll)];
    return sorted.flatMap((value, at) =>
      this.#item(
        value,
        `  ${at + 1}. `,
        isCertain(value)
          ? 'error routes for specific statuses come before error routes for all statuses'
          : 'for all statuses',
      ),
    );
  }

  #list({ values, sorted }: DirectiveList, indent: string): string[] {
    if (values.length === 0) return [`${indent}no directive that handles requests`];
    const { positions } = this.#rules;
    const inOrder = sorted ? sortRoutes(values, positions) : values;
    const lines = inOrder.flatMap((value, at) => {
      const before = inOrder[at - 1] ?? null;
      const alone = inOrder.length === 1;
      const reason = !sorted
        ? 'as written: route preserves the order'
        : alone
          ? ''
          : reasonFor(value, before, this.#rules);
      return this.#item(value, `${indent}${at + 1}. `, reason);
    });
    return [...lines, ...groupNotes(inOrder, indent)];
  }

  #item(value: ConfigValue, indent: string, reason: string): string[] {
    const tokens = originOf(value.value) ?? [];
    const [name] = tokens;
    const place = name === undefined ? '' : ` (${placeOf(name)})`;
    const head = `${indent}${lineOf(tokens) || (value.directive ?? '')}${place}`;
    const within = name === undefined ? undefined : this.#trace.within(name);
    return [
      reason === '' ? head : `${head}: ${reason}`,
      ...(within === undefined
        ? expansionOf(value, ' '.repeat(indent.length))
        : this.#list(within, ' '.repeat(indent.length))),
    ];
  }
}

/** Returns notes about mutually exclusive directives. Only the first matching directive of such a group runs. */
function groupNotes(values: readonly ConfigValue[], indent: string): string[] {
  return exclusive
    .filter((name) => values.filter(({ directive = '' }) => orderedName(directive) === name).length > 1)
    .map(
      (name) =>
        `${indent}Of these ${name}${name === 'handle' ? ' and handle_path' : ''} directives, only the first match runs.`,
    );
}

function isCertain({ value }: ConfigValue): boolean {
  const [first] = value as readonly { readonly match?: unknown }[];
  return first?.match !== undefined;
}

/** Returns the first line of a directive. */
function lineOf(tokens: readonly CaddyfileToken[]): string {
  const [first] = tokens;
  if (first === undefined) return '';
  const end = tokens.findIndex((token, at) => at > 0 && startsLine(tokens[at - 1] ?? token, token));
  const words = (end < 0 ? tokens : tokens.slice(0, end)).map(({ text }) => text.replaceAll(/\s+/g, ' '));
  if (words.at(-1) === '{') words.pop();
  const line = words.join(' ');
  return line.length > maxWidth ? `${line.slice(0, maxWidth - 1)}…` : line;
}

function placeOf(token: CaddyfileToken | undefined): string {
  if (token === undefined) return '';
  const { file, line, imports } = token;
  const [outermost] = imports;
  const where = `${file}:${line}`;
  return outermost === undefined ? where : `${where}, imported at ${outermost.file}:${outermost.line}`;
}
