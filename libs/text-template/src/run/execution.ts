/** The state of one execution: variables, output, and the place that an error would be reported at. */
import type { Node, Tree } from '../parse/nodes.ts';
import type { Budget } from './limits.ts';

/** What a body asks of the loop around it. */
export type Signal = 0 | 1 | 2;

/** Go on. */
export const proceed = 0;
/** Leave the loop. */
export const breakLoop = 1;
/** Begin its next turn. */
export const continueLoop = 2;

/** A compiled statement. */
export type Action = (x: Execution, dot: unknown) => Signal;

/** A compiled expression. `undefined` is not a value, `null` a nil that was found in a map or list. */
export type Evaluator = (x: Execution, dot: unknown) => unknown;

/** What `missingKey` asks for: no value, the zero value of the map's elements, or an error. */
export type MissingKey = 'invalid' | 'zero' | 'error';

/** A template that can run. */
export interface Program {
  readonly tree: Tree;
  readonly body: Action;
}

/** What takes the output, piece by piece. */
export interface TextWriter {
  write(text: string): unknown;
}

/** What an execution is started with. */
export interface ExecutionSetup {
  readonly writer: TextWriter | null;
  readonly budget: Budget;
  readonly missingKey: MissingKey;
  readonly find: (name: string) => Program | undefined;
  readonly implementations: ReadonlyMap<string, (...args: readonly unknown[]) => unknown> | null;
}

/** Characters that are collected before they go to a writer. */
const chunkSize = 16_384;

/** One run of a template. */
export class Execution {
  readonly budget: Budget;
  readonly missingKey: MissingKey;
  readonly find: (name: string) => Program | undefined;
  readonly implementations: ReadonlyMap<string, (...args: readonly unknown[]) => unknown> | null;
  readonly #writer: TextWriter | null;
  /** Variables of the template that runs, by slot. */
  variables: unknown[] = [];
  /** What is being evaluated, for messages. */
  node: Node | null = null;
  /** The template that runs. */
  tree: Tree | null = null;
  #output = '';

  constructor(setup: ExecutionSetup) {
    this.budget = setup.budget;
    this.missingKey = setup.missingKey;
    this.find = setup.find;
    this.implementations = setup.implementations;
    this.#writer = setup.writer;
  }

  /** Writes text. */
  write(text: string): void {
    this.budget.write(text.length);
    this.#output += text;
    if (this.#writer !== null && this.#output.length >= chunkSize) this.flush();
  }

  /** Hands what was collected to the writer. */
  flush(): void {
    if (this.#writer === null || this.#output === '') return;
    this.#writer.write(this.#output);
    this.#output = '';
  }

  /** What was written and not flushed. */
  get output(): string {
    return this.#output;
  }

  /** Runs a template with variables of its own. After an error `tree` stays, so that the message can name it. */
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
