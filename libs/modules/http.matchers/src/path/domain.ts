/** Request sets defined by path patterns, for static checks of routes. */
import { isArray, lowerCase } from '@sluice/base';
import type { Domain } from '@sluice/http-app';

/** Form of a path pattern, as `compilePattern` parses it. Patterns with escapes or empty segments are not analyzed. */
type Form =
  | { readonly kind: 'all' }
  | { readonly kind: 'exact' | 'prefix' | 'suffix' | 'part'; readonly text: string }
  /** Pattern with wildcards in other positions. Only its literal prefix is analyzed. */
  | { readonly kind: 'glob'; readonly text: string; readonly head: string };

/** Returns the request set of path patterns, or `null` if a pattern can't be analyzed. */
export function pathDomain(options: unknown): Domain | null {
  if (!isArray(options as never)) return null;
  const forms: Form[] = [];
  for (const each of options as readonly unknown[]) {
    const form = typeof each === 'string' ? formOf(each) : null;
    if (form === null) return null;
    forms.push(form);
  }
  return new Paths(forms);
}

function formOf(pattern: string): Form | null {
  if (pattern === '*') return { kind: 'all' };
  if (/[%{]|\/\//.test(pattern)) return null;
  const text = lowerCase(pattern);
  if (!/[*?[\\]/.test(text)) return { kind: 'exact', text };
  const stars = text.split('*').length - 1;
  // If stars occur only at the ends, all other characters are literal, as in the matcher.
  if (stars === 1 && text.endsWith('*')) return { kind: 'prefix', text: text.slice(0, -1) };
  if (stars === 1 && text.startsWith('*')) return { kind: 'suffix', text: text.slice(1) };
  if (stars === 2 && text.startsWith('*') && text.endsWith('*')) return { kind: 'part', text: text.slice(1, -1) };
  return { kind: 'glob', text, head: text.slice(0, text.search(/[*?[\\]/)) };
}

class Paths implements Domain {
  readonly #forms: readonly Form[];

  constructor(forms: readonly Form[]) {
    this.#forms = forms;
  }

  get isEmpty(): boolean {
    return this.#forms.length === 0;
  }

  get keys(): readonly string[] {
    return this.#forms.map((form) => {
      if (form.kind === 'exact' || form.kind === 'glob') return `=${form.text}`;
      return form.kind === 'prefix' ? `^${form.text}` : '~';
    });
  }

  get seeks(): readonly string[] {
    const [first] = this.#forms;
    if (first === undefined || first.kind === 'all') return ['~'];
    const head =
      first.kind === 'glob' ? first.head : first.kind === 'exact' || first.kind === 'prefix' ? first.text : '';
    const prefixes = Array.from({ length: head.length + 1 }, (_, length) => `^${head.slice(0, length)}`);
    return [`=${first.text}`, ...prefixes, '~'];
  }

  covers(other: Domain): boolean {
    return other instanceof Paths && other.#forms.every((form) => this.#forms.some((each) => covers(each, form)));
  }

  excludes(other: Domain): boolean {
    return other instanceof Paths && this.#forms.every((form) => other.#forms.every((each) => excludes(form, each)));
  }
}

function covers(a: Form, b: Form): boolean {
  if (a.kind === 'all') return true;
  if (b.kind === 'all') return false;
  switch (a.kind) {
    case 'exact':
      return b.kind === 'exact' && b.text === a.text;
    case 'prefix':
      if (b.kind === 'glob') return b.head.startsWith(a.text);
      return (b.kind === 'exact' || b.kind === 'prefix') && b.text.startsWith(a.text);
    case 'suffix':
      return (b.kind === 'exact' || b.kind === 'suffix') && b.text.endsWith(a.text);
    case 'part':
      return b.kind !== 'glob' && b.text.includes(a.text);
    case 'glob':
      return b.kind === 'glob' && b.text === a.text;
  }
}

function excludes(a: Form, b: Form): boolean {
  if (a.kind === 'exact') return excludesExact(a.text, b);
  if (b.kind === 'exact') return excludesExact(b.text, a);
  const [head, other] = [headOf(a), headOf(b)];
  if (!head.startsWith(other) && !other.startsWith(head)) return true;
  return a.kind === 'suffix' && b.kind === 'suffix' && !a.text.endsWith(b.text) && !b.text.endsWith(a.text);
}

/** Reports whether a path can't match a pattern's form. */
function excludesExact(path: string, form: Form): boolean {
  switch (form.kind) {
    case 'all':
      return false;
    case 'exact':
      return path !== form.text;
    case 'prefix':
      return !path.startsWith(form.text);
    case 'suffix':
      return !path.endsWith(form.text);
    case 'part':
      return !path.includes(form.text);
    case 'glob':
      return !path.startsWith(form.head);
  }
}

function headOf(form: Form): string {
  if (form.kind === 'glob') return form.head;
  return form.kind === 'prefix' ? form.text : '';
}
