/**
 * Rewrites Caddy's macros as expressions that the CEL library supports. Matcher functions and placeholders become lazily evaluated
 * variables. `cel.bind` becomes a loop without iterations.
 */
import type { HttpMatcher } from '@sluice/http-app';
import { messageOf, valueError } from '@sluice/base';
import { matcherFunctions } from './matcher-functions.ts';
import {
  booleanNode,
  callNode,
  identifier,
  listNode,
  literalText,
  loopNode,
  mapChildren,
  nameOf,
  qualifiedName,
  type Node,
} from './tree.ts';

/** Matchers and placeholders of a rewritten expression. The expression accesses them through the variables `@match0` … and `@value0` …. */
export interface References {
  readonly matchers: HttpMatcher[];
  readonly values: string[];
  /** True if the name of any placeholder is computed at run time. */
  namesAtRunTime: boolean;
}

type Call = Extract<Node['exprKind'], { case: 'callExpr' }>['value'];

/** Rewrites a syntax tree. `name` is the default name of captures. Throws ERR_VALUE for invalid arguments. */
export function rewrite(root: Node, name: string, references: References): Node {
  const visit = (node: Node): Node => {
    const replaced =
      node.exprKind.case === 'callExpr' ? replaceCall(node.exprKind.value, visit, name, references) : null;
    return replaced === null ? mapChildren(node, visit) : { ...replaced, id: node.id };
  };
  return visit(root);
}

function replaceCall(call: Call, visit: (node: Node) => Node, name: string, references: References): Node | null {
  if (call.target === undefined)
    return call.function === 'ph' ? placeholder(call, references) : matcherCall(call, name, references);
  const qualified = `${qualifiedName(call.target) ?? ''}.${call.function}`;
  if (qualified === 'cel.bind') return bind(call, visit);
  if (qualified === 'math.greatest' || qualified === 'math.least') return extreme(call, visit);
  return call.function === 'sortBy' ? sortBy(call, call.target, visit) : null;
}

function placeholder({ args }: Call, references: References): Node | null {
  const { values } = references;
  const name = literalText(args[1]);
  if (args.length !== 2 || nameOf(args[0]) !== 'req' || name === null) {
    references.namesAtRunTime = true;
    return null;
  }
  if (!values.includes(name)) values.push(name);
  return identifier(`@value${values.indexOf(name)}`);
}

function matcherCall(call: Call, name: string, { matchers }: References): Node | null {
  const made = matcherFunctions.get(call.function);
  if (made === undefined) return null;
  let matcher: HttpMatcher | null;
  try {
    matcher = made.make(call.args, name);
  } catch (error) {
    throw valueError(`${call.function}(…): ${messageOf(error)}`, error);
  }
  if (matcher === null)
    throw valueError(
      `${call.function}(…) requires ${made.usage}; strings are literals, placeholders, or concatenations of them`,
    );
  matchers.push(matcher);
  return identifier(`@match${matchers.length - 1}`);
}

/** Rewrites `cel.bind(x, value, expression)` as a loop over an empty list, with `x` as the accumulator. */
function bind({ args }: Call, visit: (node: Node) => Node): Node {
  const [variable, value, expression] = args;
  const name = nameOf(variable);
  if (name === null || value === undefined || expression === undefined || args.length !== 3)
    throw valueError('cel.bind(…) requires a name, a value and an expression');
  return loopNode({
    range: listNode([]),
    variable: '#unused',
    accumulator: name,
    start: visit(value),
    condition: booleanNode(false),
    step: identifier(name),
    result: visit(expression),
  });
}

function extreme(call: Call, visit: (node: Node) => Node): Node {
  const [only] = call.args;
  const single = call.args.length === 1 && only?.exprKind.case === 'listExpr';
  if (only === undefined || (call.args.length === 1 && literalText(only) !== null))
    throw valueError(`math.${call.function}(…) requires numbers`);
  return callNode(`@${call.function}`, [single ? visit(only) : listNode(call.args.map(visit))]);
}

/** Rewrites `list.sortBy(x, key)` as a call that sorts the list by keys. A loop computes the keys. */
function sortBy({ args }: Call, target: Node, visit: (node: Node) => Node): Node {
  const [variable, key] = args;
  const name = nameOf(variable);
  if (name === null || key === undefined || args.length !== 2)
    throw valueError('sortBy(…) requires a name and an expression');
  const found = '@keys';
  const list = visit(target);
  const keys = loopNode({
    range: list,
    variable: name,
    accumulator: found,
    start: listNode([]),
    condition: booleanNode(true),
    step: callNode('_+_', [identifier(found), listNode([visit(key)])]),
    result: identifier(found),
  });
  const call = callNode('@sortBy', [keys]);
  if (call.exprKind.case === 'callExpr') call.exprKind.value.target = list;
  return call;
}
