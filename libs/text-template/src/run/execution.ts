/** State of a template execution: variables, output, and the current location for error messages. */
import type { Node, Tree } from '../parse/nodes.ts';
import type { Budget } from './limits.ts';

/** Control flow result of executing a body: continue normally, `break`, or `continue`. */
export type Signal = 0 | 1 | 2;

export const proceed = 0;
/** Leave the loop. */
export const breakLoop = 1;
/** Signal to start the next loop iteration. */
export const continueLoop = 2;

/** A compiled statement. */
export type Action = (x: Execution, dot: unknown) => Signal;

/** A compiled expression. `undefined` represents no value, and `null` represents a nil from a map or list. */
export type Evaluator = (x: Execution, dot: unknown) => unknown;

/** Result of accessing a missing map key: no value, the zero value of the element type, or an error. */
export type MissingKey = 'invalid' | 'zero' | 'error';

/** A compiled template. */
export interface Program {
  readonly tree: Tree;
  readonly body: Action;
}

/** Receives the output in chunks. */
export interface TextWriter {
  write(text: string): unknown;
}

export interface ExecutionSetup {
  readonly writer: TextWriter | null;
  readonly budget: Budget;
  readonly missingKey: MissingKey;
  readonly find: (name: string) => Program | undefined;
  readonly implementations: ReadonlyMap<string, (...args: readonly unknown[]) => unknown> | null;
}

/** Number of characters to buffer before writing them. */
const chunkSize = 16_384;

/** State of a single template execution. */
export class Execution {
  readonly budget: Budget;
  readonly missingKey: MissingKey;
  readonly find: (name: string) => Program | undefined;
  readonly implementations: ReadonlyMap<string, (...args: readonly unknown[]) => unknown> | null;
  readonly #writer: TextWriter | null;
  /** Variables of the current template, indexed by slot. */
  variables: unknown[] = [];
  /** The node being evaluated, for error messages. */
  node: Node | null = null;
  /** Current template. */
  tree: Tree | null = null;
  #output = '';

  constructor(setup: ExecutionSetup) {
    this.budget = setup.budget;
    this.missingKey = setup.missingKey;
    this.find = setup.find;
    this.implementations = setup.implementations;
    this.#writer = setup.writer;
  }

  write(text: string): void {
    this.budget.write(text.length);
    this.#output += text;
    if (this.#writer !== null && this.#output.length >= chunkSize) this.flush();
  }

  /** Passes the buffered output to the writer. */
  flush(): void {
    if (this.#writer === null || this.#output === '') return;
    this.#writer.write(this.#output);
    this.#output = '';
  }

  /** Buffered output that has not been flushed. */
  get output(): string {
    return this.#output;
  }

  /** Runs a template with a separate set of variables. If it fails, `tree` keeps its value for the error message. */
  run(program: Program, data: unknown): void {
    const { variables, tree } = this;
    this.budget.enter();
    this.variables = Array.from<unknown>({ length: program.tree.slots });
    this.variables[0] = data;
    this.tree = program.tree;
    program.body(this, data);
    this.variables = variables;
    this.tree = tree;
    this.budget.leave();
  }
}
