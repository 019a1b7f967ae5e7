/** Declares functions for templates. */
import { plain, type Parameter } from './parameters.ts';

/** Implementation of a template function. Must be synchronous. An exception fails the template. */
export type Implementation = (...args: never[]) => unknown;

/** A function with parameter types, for Go's conversions and error messages. */
export interface TemplateFunction {
  readonly parameters: readonly Parameter<unknown>[];
  /** Type of variadic arguments; null if the function is not variadic. */
  readonly rest: Parameter<unknown> | null;
  readonly call: (...args: readonly unknown[]) => unknown;
  /** Truth value that stops the evaluation of `and` (false) and `or` (true). Null for other functions. */
  readonly stopsAt: boolean | null;
}

type Arguments<P extends readonly Parameter<unknown>[]> = {
  [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** Declares a function with exactly these parameters. */
export function declare<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
  call: (...args: Arguments<P>) => unknown,
): TemplateFunction {
  return { parameters, rest: null, call: call as unknown as TemplateFunction['call'], stopsAt: null };
}

/** Declares a function with these parameters and any number of further arguments of type `rest`. */
export function declareRest<const P extends readonly Parameter<unknown>[], R>(
  parameters: P,
  rest: Parameter<R>,
  call: (...args: [...Arguments<P>, ...R[]]) => unknown,
): TemplateFunction {
  return { parameters, rest, call: call as unknown as TemplateFunction['call'], stopsAt: null };
}

/** Functions that a host can provide: declared functions, or any JavaScript function with plain arguments. */
export type FunctionLike = TemplateFunction | ((...args: readonly never[]) => unknown);

export type Functions = Readonly<Record<string, FunctionLike>>;

/** Declares a plain JavaScript function as variadic, with unwrapped numbers. */
export function toTemplateFunction(given: FunctionLike): TemplateFunction {
  if (typeof given !== 'function') return given;
  return { parameters: [], rest: plain, call: given as unknown as TemplateFunction['call'], stopsAt: null };
}
