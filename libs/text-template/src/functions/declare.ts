/** How functions are offered to templates. */
import { plain, type Parameter } from './parameters.ts';

/** What runs when a template calls a function. It is synchronous and throws to fail the template. */
export type Implementation = (...args: never[]) => unknown;

/** A function with the types of its parameters, so that templates get Go's conversions and messages. */
export interface TemplateFunction {
  readonly parameters: readonly Parameter<unknown>[];
  /** Type of further arguments, null where there may be none. */
  readonly rest: Parameter<unknown> | null;
  readonly call: (...args: readonly unknown[]) => unknown;
  /** For `and` (false) and `or` (true): the truth that ends the evaluation of the arguments. Null for all others. */
  readonly stopsAt: boolean | null;
}

type Arguments<P extends readonly Parameter<unknown>[]> = {
  [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** A function with exactly these parameters. */
export function declare<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
  call: (...args: Arguments<P>) => unknown,
): TemplateFunction {
  return { parameters, rest: null, call: call as unknown as TemplateFunction['call'], stopsAt: null };
}

/** A function with these parameters and any number of arguments of one more type. */
export function declareRest<const P extends readonly Parameter<unknown>[], R>(
  parameters: P,
  rest: Parameter<R>,
  call: (...args: [...Arguments<P>, ...R[]]) => unknown,
): TemplateFunction {
  return { parameters, rest, call: call as unknown as TemplateFunction['call'], stopsAt: null };
}

/** What a host may give as a function: a declared one, or any JavaScript function that takes plain values. */
export type FunctionLike = TemplateFunction | ((...args: readonly never[]) => unknown);

/** Functions by name. */
export type Functions = Readonly<Record<string, FunctionLike>>;

/** Declares a bare function as one of any arguments, with numbers unwrapped. */
export function toTemplateFunction(given: FunctionLike): TemplateFunction {
  if (typeof given !== 'function') return given;
  return { parameters: [], rest: plain, call: given as unknown as TemplateFunction['call'], stopsAt: null };
}
