/** Interface through which the compiler's parts call each other. */
import type { TemplateFunction } from '../functions/declare.ts';
import type { Parameter } from '../functions/parameters.ts';
import type { CommandNode, ListNode, OperandNode, PipeNode } from '../parse/nodes.ts';
import type { Action, Evaluator, Execution } from '../run/execution.ts';

/** Compiles nodes into closures. Each template has a separate compiler object; see compile.ts. */
export interface Compiler {
  list(node: ListNode): Action;
  /** Compiles a pipeline, including its variable declarations. */
  pipe(node: PipeNode): Evaluator;
  /** Compiles a command. If `final` is true, the value of the preceding command is the last argument. */
  command(node: CommandNode, final: boolean): PipedEvaluator;
  argument<T>(node: OperandNode, parameter: Parameter<T>): (x: Execution, dot: unknown) => T;
  functionOf(name: string): TemplateFunction;
}

/** A compiled command. `final` is the value of the preceding command in the pipeline. */
export type PipedEvaluator = (x: Execution, dot: unknown, final: unknown) => unknown;
