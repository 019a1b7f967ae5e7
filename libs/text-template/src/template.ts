/** Text templates. A template is compiled once and can be executed any number of times. */
import { quote } from './fmt/quote.ts';
import { compile } from './compile/compile.ts';
import { isLimit, LimitError, messageOf, TemplateError } from './errors.ts';
import { builtins } from './functions/builtins.ts';
import { toTemplateFunction, type Functions, type Implementation, type TemplateFunction } from './functions/declare.ts';
import type { Delimiters } from './parse/lexer.ts';
import { parse } from './parse/parser.ts';
import { columnAt, lineAt } from './parse/position.ts';
import { printNode } from './parse/print-node.ts';
import { Execution, type MissingKey, type Program, type TextWriter } from './run/execution.ts';
import { Budget, type Limits } from './run/limits.ts';

export interface TemplateOptions {
  /** Action delimiters. Default: `{{` and `}}`. An empty string selects the default. */
  readonly delimiters?: Partial<Delimiters>;
  /** Additional functions. They can override built-in functions. */
  readonly functions?: Functions;
  /** Result of accessing a missing map key: no value (default), the zero value of the element type, or an error. */
  readonly missingKey?: MissingKey;
}

export interface ExecuteOptions {
  /** Function implementations that apply only to this execution. The template must have been parsed with functions of the same names. */
  readonly functions?: Readonly<Record<string, Implementation>>;
  /**
   * Additional templates for `{{template}}`. They take precedence over the definitions in the text. Functions can add templates during
   * execution.
   */
  readonly templates?: ReadonlyMap<string, TextTemplate>;
  /** Execution limits; see {@link Limits} for the defaults. Pass a {@link Budget} to share the limits with other executions. */
  readonly limits?: Limits | Budget;
}

/** A compiled template, including the templates that its text defines. */
export class TextTemplate {
  readonly name: string;
  readonly #programs: ReadonlyMap<string, Program>;
  readonly #main: Program;
  readonly #missingKey: MissingKey;

  private constructor(main: Program, programs: ReadonlyMap<string, Program>, missingKey: MissingKey) {
    this.name = main.tree.name;
    this.#main = main;
    this.#programs = programs;
    this.#missingKey = missingKey;
  }

  /** Parses and compiles a template. Throws a {@link TemplateError} that contains the template name and line. */
  static parse(name: string, text: string, options: TemplateOptions = {}): TextTemplate {
    const functions = new Map<string, TemplateFunction>(Object.entries(builtins));
    for (const [key, given] of Object.entries(options.functions ?? {})) functions.set(key, toTemplateFunction(given));
    const trees = parse(name, text, {
      delimiters: { left: '', right: '', ...options.delimiters },
      isFunction: (word) => functions.has(word),
    });
    const functionOf = (word: string): TemplateFunction => {
      const found = functions.get(word);
      if (found === undefined) throw new Error(`function ${word} not defined`);
      return found;
    };
    const programs = new Map<string, Program>();
    for (const tree of trees.values()) programs.set(tree.name, compile(tree, functionOf));
    const main = programs.get(name);
    if (main === undefined) throw new Error(`template ${name} has no body`);
    return new TextTemplate(main, programs, options.missingKey ?? 'invalid');
  }

  /** Names of the templates in the text, including the name of the main template. */
  get defined(): readonly string[] {
    return [...this.#programs.keys()];
  }

  /** Returns a template that the text defines, or undefined. The returned template can use all definitions in the text. */
  lookup(name: string): TextTemplate | undefined {
    const program = this.#programs.get(name);
    return program === undefined ? undefined : new TextTemplate(program, this.#programs, this.#missingKey);
  }

  /** Executes the template and returns its output. Throws a {@link TemplateError} on failure. */
  execute(data: unknown, options: ExecuteOptions = {}): string {
    return this.#run(null, data, options);
  }

  /** Executes the template and writes the output in chunks. If the execution fails, the output is incomplete. */
  executeInto(writer: TextWriter, data: unknown, options: ExecuteOptions = {}): void {
    this.#run(writer, data, options);
  }

  #run(writer: TextWriter | null, data: unknown, options: ExecuteOptions): string {
    const budget = options.limits instanceof Budget ? options.limits : new Budget(options.limits);
    const { depth } = budget;
    const x = new Execution({
      writer,
      budget,
      missingKey: this.#missingKey,
      find: this.#finder(options.templates),
      implementations: implementationsOf(options.functions),
    });
    try {
      x.run(this.#main, data ?? undefined);
    } catch (error) {
      throw locate(x, error);
    } finally {
      budget.depth = depth;
      x.flush();
    }
    return x.output;
  }

  #finder(templates: ReadonlyMap<string, TextTemplate> | undefined): (name: string) => Program | undefined {
    if (templates === undefined) return (name) => this.#programs.get(name);
    return (name) => {
      const given = templates.get(name);
      return given === undefined ? this.#programs.get(name) : given.#main;
    };
  }
}

function implementationsOf(
  functions: Readonly<Record<string, Implementation>> | undefined,
): ReadonlyMap<string, (...args: readonly unknown[]) => unknown> | null {
  if (functions === undefined) return null;
  return new Map(Object.entries(functions) as [string, (...args: readonly unknown[]) => unknown][]);
}

/** Adds the current location in the template to an error. */
function locate(x: Execution, error: unknown): TemplateError {
  const overflow = error instanceof RangeError && /call stack/.test(error.message);
  const reason = overflow ? new LimitError('templates are nested too deep') : error;
  const code = isLimit(reason) ? 'ERR_TEMPLATE_LIMIT' : 'ERR_TEMPLATE_EXECUTION';
  const { node, tree } = x;
  if (tree === null || node === null) {
    return new TemplateError(code, `template: ${messageOf(reason)}`, { template: '', line: 0, column: null }, reason);
  }
  const line = lineAt(tree.text, node.position);
  const column = columnAt(tree.text, node.position);
  const where = `${tree.source}:${line}:${column}: executing ${quote(tree.name)} at <${printNode(node)}>`;
  const cause = reason instanceof Error && reason.cause !== undefined ? reason.cause : reason;
  return new TemplateError(
    code,
    `template: ${where}: ${messageOf(reason)}`,
    { template: tree.source, line, column },
    cause,
  );
}
