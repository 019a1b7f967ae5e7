/** What the parts of the compiler need of each other. */
import type { TemplateFunction } from '../functions/declare.ts';
import type { Parameter } from '../functions/parameters.ts';
import type { CommandNode, ListNode, OperandNode, PipeNode } from '../parse/nodes.ts';
import type { Action, Evaluator, Execution } from '../run/execution.ts';

/** Turns nodes into closures. One object is made per template; see compile.ts. */
export interface Compiler {
  /** A body. */
  list(node: ListNode): Action;
  /** A pipeline with its declarations. */
  pipe(node: PipeNode): Evaluator;
  /** A command; `final` is true where the value of the command before it is its last argument. */
  command(node: CommandNode, final: boolean): PipedEvaluator;
  /** An operand as an argument of a type. */
  argument<T>(node: OperandNode, parameter: Parameter<T>): (x: Execution, dot: unknown) => T;
  /** The function of a name. */
  functionOf(name: string): TemplateFunction;
}

/** An expression that takes the value of the one before it in the pipeline. */
export type PipedEvaluator = (x: Execution, dot: unknown, final: unknown) => unknown;
