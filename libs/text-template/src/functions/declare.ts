/** Declares functions that templates can call. */
import { plain, type Parameter } from './parameters.ts';

/** Implementation of a template function. It must be synchronous. If it throws, the template execution fails. */
export type Implementation = (...args: never[]) => unknown;

/** A template function with its parameter types. The types determine Go's conversions and error messages. */
export interface TemplateFunction {
  readonly parameters: readonly Parameter<unknown>[];
  /** Type of the variadic arguments, or null if the function is not variadic. */
  readonly rest: Parameter<unknown> | null;
  readonly call: (...args: readonly unknown[]) => unknown;
  /** Truth value at which `and` (false) and `or` (true) stop evaluating arguments. Null for all other functions. */
  readonly stopsAt: boolean | null;
}

type Arguments<P extends readonly Parameter<unknown>[]> = {
  [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** Declares a function with a fixed number of parameters. */
export function declare<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
  call: (...args: Arguments<P>) => unknown,
): TemplateFunction {
  return { parameters, rest: null, call: call as unknown as TemplateFunction['call'], stopsAt: null };
}

/** Declares a function with fixed parameters, followed by any number of arguments of type `rest`. */
export function declareRest<const P extends readonly Parameter<unknown>[], R>(
  parameters: P,
  rest: Parameter<R>,
  call: (...args: [...Arguments<P>, ...R[]]) => unknown,
): TemplateFunction {
  return { parameters, rest, call: call as unknown as TemplateFunction['call'], stopsAt: null };
}

/** Functions that a host can provide: declared functions, or plain JavaScript functions with untyped arguments. */
export type FunctionLike = TemplateFunction | ((...args: readonly never[]) => unknown);

export type Functions = Readonly<Record<string, FunctionLike>>;

/** Wraps a plain JavaScript function as a variadic template function. Numbers are unwrapped. */
export function toTemplateFunction(given: FunctionLike): TemplateFunction {
  if (typeof given !== 'function') return given;
  return { parameters: [], rest: plain, call: given as unknown as TemplateFunction['call'], stopsAt: null };
}
