/** Compiles an expression to a request matcher. Loaded on demand, because the CEL library is large. */
import {
  celError,
  celFunc,
  CelScalar,
  isCelError,
  parse,
  plan,
  type CelEnv,
  type CelError,
  type CelInput,
  type CelType,
} from '@bufbuild/cel';
import { HttpError, isHttpError, type Exchange, type HttpMatcher } from '@sluice/http-app';
import { messageOf, valueError } from '@sluice/base';
import { typeOf } from './check.ts';
import { checkConstants } from './constants.ts';
import { makeEnvironment } from './environment.ts';
import { beginEvaluation, canGrow, countLoops, limitedEnvironment } from './limits.ts';
import { replaceQuotedFields, restoreQuotedFields } from './quoted-fields.ts';
import { rewrite, type References } from './rewrite.ts';
import { unknownEscape } from './literals.ts';
import { replacePlaceholders } from './source.ts';
import { describe } from './types.ts';
import { readerOfPlaceholder } from './values.ts';
import type { Node } from './tree.ts';

const { BOOL, DYN, STRING } = CelScalar;

/** Values of an expression's variables, by name. */
type Bindings = Record<string, CelInput | CelError>;

/**
 * Creates a CEL environment that reads placeholders from the current evaluation's exchange. `exchange` returns `null` when no evaluation is
 * running.
 */
function environmentFor(exchange: () => Exchange | null): CelEnv {
  return makeEnvironment([
    // Function for placeholders with computed names. Placeholders with constant names become variables instead.
    celFunc('ph', [DYN, STRING], DYN, (_, name) => {
      const current = exchange();
      return current === null ? null : readerOfPlaceholder(name)(current);
    }),
  ]);
}

/** CEL environment for type checks, and for expressions whose placeholder names are all constant. It reads no placeholders. */
const environment = environmentFor(() => null);

/** Compiles an expression. `name` is the default name of captures. Throws ERR_VALUE for invalid expressions. */
export function compileExpression(source: string, name: string): HttpMatcher {
  const references: References = { matchers: [], values: [], namesAtRunTime: false };
  const tree = rewrite(parseExpression(source), name, references);
  const variables = new Map<string, CelType>();
  for (const index of references.matchers.keys()) variables.set(`@match${index}`, BOOL);
  for (const index of references.values.keys()) variables.set(`@value${index}`, DYN);
  const type = typeOf(tree, environment, variables);
  if (type !== BOOL)
    throw valueError(
      `the expression must evaluate to a bool, but evaluates to ${type === DYN ? 'any type' : `a ${describe(type)}`}`,
    );
  checkConstants(tree, environment);
  return new Expression(tree, references);
}

/** Parses an expression without rewriting its tree. Throws ERR_VALUE for syntax errors. */
export function parseExpression(source: string): Node {
  const text = replacePlaceholders(source);
  const escape = unknownEscape(text);
  if (escape !== null)
    throw valueError(`unknown escape ${escape}; write \\\\ for a backslash, or r'…' for a string without escapes`);
  try {
    // Append a line break, because the parser requires one after a comment.
    const { text: plain, names } = replaceQuotedFields(text);
    const { expr } = parse(`${plain}\n`);
    return restoreQuotedFields(expr, names);
  } catch (error) {
    throw valueError(`cannot parse the expression: ${messageOf(error)}`, error);
  }
}

class Expression implements HttpMatcher {
  readonly #evaluate: () => unknown;
  /** The current evaluation, from which the expression's variables read their values. */
  #run: Run | null = null;

  constructor(tree: Node, { matchers, values, namesAtRunTime }: References) {
    const bindings: Bindings = { req: null };
    const define = (name: string, get: (run: Run) => CelInput | CelError): void => {
      Object.defineProperty(bindings, name, { get: () => get(this.#run as Run) });
    };
    for (const [index, matcher] of matchers.entries()) define(`@match${index}`, (run) => run.ask(index, matcher));
    for (const [index, name] of values.entries()) {
      const read = readerOfPlaceholder(name);
      define(`@value${index}`, ({ exchange }) => read(exchange));
    }
    const used = namesAtRunTime ? environmentFor(() => this.#run?.exchange ?? null) : environment;
    if (canGrow(tree)) {
      const bounded = plan(limitedEnvironment(used), countLoops(tree));
      this.#evaluate = () => {
        beginEvaluation();
        return bounded(bindings as Record<string, CelInput>);
      };
    } else {
      const planned = plan(used, tree);
      this.#evaluate = () => planned(bindings as Record<string, CelInput>);
    }
  }

  match(exchange: Exchange): boolean | Promise<boolean> {
    const run = new Run(exchange);
    const result = this.#evaluateIn(run);
    if (typeof result === 'boolean') return result;
    return run.pending === null ? fail(result, run) : this.#later(run);
  }

  /** Waits for pending matchers, then evaluates the expression again. Evaluation has no side effects. */
  async #later(run: Run): Promise<boolean> {
    let result: unknown;
    while (run.pending !== null) {
      const { pending } = run;
      run.pending = null;
      await pending;
      result = this.#evaluateIn(run);
      if (typeof result === 'boolean') return result;
    }
    return fail(result, run);
  }

  #evaluateIn(run: Run): unknown {
    this.#run = run;
    try {
      return this.#evaluate();
    } finally {
      this.#run = null;
    }
  }
}

/** Evaluation of an expression for one request. It is repeated when asynchronous matchers have completed. */
class Run {
  readonly exchange: Exchange;
  pending: Promise<void> | null = null;
  /** Error thrown deliberately by a matcher, for example for `=404`. */
  raised: HttpError | null = null;
  readonly #results = new Map<number, boolean | CelError>();

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  /** Runs a matcher. Returns a CEL error while the result is pending, because the overall result may not depend on this matcher. */
  ask(index: number, matcher: HttpMatcher): boolean | CelError {
    const known = this.#results.get(index);
    if (known !== undefined) return known;
    try {
      const matched = matcher.match(this.exchange);
      return typeof matched === 'boolean' ? matched : this.#wait(index, matched);
    } catch (error) {
      return this.#failed(error);
    }
  }

  #wait(index: number, matched: Promise<boolean>): CelError {
    const settled = matched.then(
      (result) => void this.#results.set(index, result),
      (error: unknown) => void this.#results.set(index, this.#failed(error)),
    );
    const others = this.pending;
    this.pending = others === null ? settled : others.then(() => settled);
    return celError('must wait');
  }

  #failed(error: unknown): CelError {
    if (isHttpError(error)) this.raised = error;
    return celError(error);
  }
}

function fail(result: unknown, run: Run): never {
  if (run.raised !== null) throw run.raised;
  throw new HttpError(500, `expression: ${isCelError(result) ? result.message : 'the result is not a bool'}`, result);
}
