/** The interface between the parts of the compiler. */
import type { TemplateFunction } from '../functions/declare.ts';
import type { Parameter } from '../functions/parameters.ts';
import type { CommandNode, ListNode, OperandNode, PipeNode } from '../parse/nodes.ts';
import type { Action, Evaluator, Execution } from '../run/execution.ts';

/** Compiles nodes to closures. Each template has its own object; see compile.ts. */
export interface Compiler {
  list(node: ListNode): Action;
  /** Compiles a pipeline with its declarations. */
  pipe(node: PipeNode): Evaluator;
  /** Compiles a command. If `final` is true, the last argument is the value of the previous command. */
  command(node: CommandNode, final: boolean): PipedEvaluator;
  argument<T>(node: OperandNode, parameter: Parameter<T>): (x: Execution, dot: unknown) => T;
  functionOf(name: string): TemplateFunction;
}

/** An expression that receives the previous value in the pipeline. */
export type PipedEvaluator = (x: Execution, dot: unknown, final: unknown) => unknown;
