/** Determines whether an expression is constant: always true or always false. */
import type { Domain } from '@sluice/http-app';
import { hostDomain } from '../host/domain.ts';
import { pathDomain } from '../path/domain.ts';
import { callNode, literalText, type Node } from '../expression/tree.ts';

/** Constant value of an expression, with advice. `null` if the expression is not provably constant. */
export interface Verdict {
  readonly value: boolean | null;
  readonly advice: string;
}

/** A condition in an expression, possibly negated. */
interface Atom {
  /** Canonical source of the condition, for comparisons. */
  readonly key: string;
  readonly isNegated: boolean;
  /** Name of the value that the condition compares with literals, or `null` for other conditions. */
  readonly subject: string | null;
  /** The compared literals with a type prefix, for example `s:GET` and `i:404`. */
  readonly literals: readonly string[];
  /** Request set of a matcher call such as `path('/a')`, or `null` for other conditions. */
  readonly domain: Domain | null;
}

const plain = { subject: null, literals: [], domain: null } as const;

const domains: Readonly<Record<string, (texts: unknown) => Domain | null>> = { host: hostDomain, path: pathDomain };

/** Alternatives of conjunctions. */
type Terms = readonly (readonly Atom[])[];

/** Maximum number of terms in disjunctive normal form. Larger expressions are not analyzed. */
const maxTerms = 64;

const unknown: Verdict = { value: null, advice: '' };
const contradiction = 'the conditions contradict each other; correct the expression, or remove the matcher';
const tautology = 'one of the conditions is always true; write && between inequalities, or remove the matcher';

/** Determines whether an expression is constant. Another check reports syntax errors. */
export function verdictOf(text: string, parse: (text: string) => Node): Verdict {
  let tree: Node;
  try {
    tree = parse(text);
  } catch {
    return unknown;
  }
  const holds = termsOf(tree, false);
  if (holds?.every(isImpossible) === true)
    return {
      value: false,
      advice: holds.flat().some(isLowerMethod) ? 'methods are uppercase; write the method in uppercase' : contradiction,
    };
  const fails = termsOf(tree, true);
  return fails?.every(isImpossible) === true
    ? {
        value: true,
        advice: fails.flat().some(isLowerMethod) ? 'methods are uppercase; write the method in uppercase' : tautology,
      }
    : unknown;
}

/** Returns an expression's disjunctive normal form, or `null` if it would be too large. */
function termsOf(node: Node, isNegated: boolean): Terms | null {
  const constant = constantOf(node);
  if (constant !== null) return constant === isNegated ? [] : [[]];
  const { exprKind } = node;
  if (exprKind.case === 'callExpr') {
    const { function: name, args } = exprKind.value;
    const [first, second] = args;
    if (name === '!_' && first !== undefined) return termsOf(first, !isNegated);
    if ((name === '_&&_' || name === '_||_') && first !== undefined && second !== undefined) {
      const [a, b] = [termsOf(first, isNegated), termsOf(second, isNegated)];
      if (a === null || b === null) return null;
      const both = (name === '_&&_') !== isNegated ? a.flatMap((x) => b.map((y) => [...x, ...y])) : [...a, ...b];
      return both.length > maxTerms ? null : both;
    }
    if (name === '_!=_') return [[atomOf(callNode('_==_', args), !isNegated)]];
  }
  return [[atomOf(node, isNegated)]];
}

/** Evaluates literals and comparisons of two literals. Returns `null` for other nodes. */
function constantOf(node: Node): boolean | null {
  const { exprKind } = node;
  if (exprKind.case === 'constExpr') {
    const { constantKind } = exprKind.value;
    return constantKind.case === 'boolValue' ? constantKind.value : null;
  }
  if (exprKind.case !== 'callExpr' || !/^_[=!]=_$/.test(exprKind.value.function)) return null;
  const [a, b] = exprKind.value.args.map(literalOf);
  if (a == null || b == null || a[0] !== b[0]) return null;
  return (a[1] === b[1]) === (exprKind.value.function === '_==_');
}

function literalOf({ exprKind }: Node): readonly [string, unknown] | null {
  if (exprKind.case !== 'constExpr') return null;
  const { case: kind, value } = exprKind.value.constantKind;
  return kind === undefined ? null : [kind, value];
}

/** Returns a literal with its type prefix, or `null` if the node is not a string or an integer. */
function literalKey(node: Node): string | null {
  const [kind, value] = literalOf(node) ?? [];
  return kind === 'stringValue' || kind === 'int64Value' ? `${kind[0] ?? ''}:${String(value)}` : null;
}

function atomOf(node: Node, isNegated: boolean): Atom {
  const { exprKind } = node;
  const atom = { ...plain, key: textOf(node), isNegated };
  if (exprKind.case !== 'callExpr') return atom;
  const { function: name, args, target } = exprKind.value;
  const [a, b] = args;
  const makeDomain = target === undefined ? domains[name] : undefined;
  if (makeDomain !== undefined) return { ...atom, domain: makeDomain(args.map(literalText)) };
  if (a === undefined || b === undefined) return atom;
  if (name === '_==_') {
    const [left, right] = [literalKey(a), literalKey(b)];
    if (right !== null && left === null) return { ...atom, subject: subjectOf(a), literals: [right] };
    if (left !== null && right === null) return { ...atom, subject: subjectOf(b), literals: [left] };
  }
  if (name === '@in' && b.exprKind.case === 'listExpr') {
    const literals = b.exprKind.value.elements.map(literalKey);
    if (literals.every((each) => each !== null)) return { ...atom, subject: subjectOf(a), literals };
  }
  return atom;
}

/** Returns the name of the placeholder that a node reads. Returns `null` for other nodes, and for names that are computed at run time. */
function subjectOf({ exprKind }: Node): string | null {
  if (exprKind.case !== 'callExpr' || exprKind.value.function !== 'ph') return null;
  return literalText(exprKind.value.args[1]);
}

/** Reports whether the conditions of a term contradict each other, so that the term is always false. */
function isImpossible(atoms: readonly Atom[]): boolean {
  return atoms.some(
    (atom, index) =>
      isLowerMethod(atom) || atoms.slice(index + 1).some((other) => contradict(atom, other) || contradict(other, atom)),
  );
}

function contradict(a: Atom, b: Atom): boolean {
  if (a.key === b.key && a.isNegated !== b.isNegated) return isPure(a.key);
  if (a.domain !== null && b.domain !== null && !a.isNegated)
    return b.isNegated ? b.domain.covers(a.domain) : a.domain.excludes(b.domain);
  if (a.subject === null || a.subject !== b.subject || a.isNegated) return false;
  if (new Set([...a.literals, ...b.literals].map((each) => each[0])).size > 1) return false;
  // Condition `a` requires one of its literals, so `b` must exclude every one of them.
  return a.literals.every((each) => b.literals.includes(each) === b.isNegated);
}

/** Reports whether a condition always has the same result within a request. Time and random values can change. */
function isPure(key: string): boolean {
  return !/time\.|uuid|rand|now\(/.test(key);
}

function isLowerMethod({ subject, literals, isNegated }: Atom): boolean {
  if (subject === null || !/^(?:http\.request\.)?method$/.test(subject) || isNegated) return false;
  return literals.length > 0 && literals.every((each) => /^s:[a-z]+$/.test(each));
}

/** Returns a node's canonical source, for comparing nodes. */
function textOf(node: Node): string {
  return JSON.stringify(node.exprKind, (key, value: unknown) =>
    key === 'id' || key === '$typeName' ? undefined : typeof value === 'bigint' ? String(value) : value,
  );
}
