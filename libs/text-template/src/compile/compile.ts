/** Compiles a syntax tree into closures. Executions don't parse anything, and resolve only the names of overridden functions. */
import type { TemplateFunction } from '../functions/declare.ts';
import type { Tree } from '../parse/nodes.ts';
import type { Program } from '../run/execution.ts';
import { compileArgument } from './argument.ts';
import type { Compiler } from './compiler.ts';
import { compileCommand, compileOperand } from './operand.ts';
import { compileList, compilePipe } from './statement.ts';

/** Compiles a tree. `functionOf` must return the same functions as during parsing. */
export function compile(tree: Tree, functionOf: (name: string) => TemplateFunction): Program {
  const compiler: Compiler = {
    list: (node) => compileList(compiler, node),
    pipe: (node) => compilePipe(compiler, node),
    command: (node, final) => compileCommand(compiler, node, final),
    argument: (node, parameter) => compileArgument(node, parameter, (operand) => compileOperand(compiler, operand)),
    functionOf,
  };
  return { tree, body: compiler.list(tree.body) };
}
