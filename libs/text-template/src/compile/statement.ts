/** Compiles statements: text, actions, branches, `break` and `continue`, and template calls. */
import { quote } from '../fmt/quote.ts';
import { displayable } from '../fmt/display.ts';
import type { ActionNode, BranchNode, ListNode, PipeNode, StatementNode, TemplateNode } from '../parse/nodes.ts';
import { breakLoop, continueLoop, proceed, type Action, type Evaluator, type Execution } from '../run/execution.ts';
import { isTrue } from '../values/truth.ts';
import type { Compiler } from './compiler.ts';
import { compileRange } from './range.ts';

export function compileList(compiler: Compiler, { nodes }: ListNode): Action {
  const actions = nodes.map((node) => compileStatement(compiler, node));
  const [only] = actions;
  if (only !== undefined && actions.length === 1) return only;
  return (x, dot) => {
    for (const action of actions) {
      const signal = action(x, dot);
      if (signal !== proceed) return signal;
    }
    return proceed;
  };
}

function compileStatement(compiler: Compiler, node: StatementNode): Action {
  switch (node.kind) {
    case 'text': {
      const { text } = node;
      return (x) => {
        x.write(text);
        return proceed;
      };
    }
    case 'action':
      return compileAction(compiler, node);
    case 'if':
    case 'with':
      return compileBranch(compiler, node);
    case 'range':
      return compileRange(compiler, node);
    case 'template':
      return compileTemplate(compiler, node);
    case 'break':
      return () => breakLoop;
    case 'continue':
      return () => continueLoop;
  }
}

/** Compiles an action. If the action does not declare a variable, it prints its value. */
function compileAction(compiler: Compiler, node: ActionNode): Action {
  const pipe = compiler.pipe(node.pipe);
  const silent = node.pipe.targets.length > 0;
  return (x, dot) => {
    x.node = node;
    x.budget.step();
    const value = pipe(x, dot);
    if (silent) return proceed;
    if (typeof value === 'string') x.write(value);
    else {
      x.node = node;
      x.write(displayable(value));
    }
    return proceed;
  };
}

function compileBranch(compiler: Compiler, node: BranchNode): Action {
  const pipe = compiler.pipe(node.pipe);
  const body = compiler.list(node.body);
  const otherwise = node.otherwise === null ? null : compiler.list(node.otherwise);
  const moves = node.kind === 'with';
  return (x, dot) => {
    x.node = node;
    x.budget.step();
    const value = pipe(x, dot);
    if (isTrue(value)) return body(x, moves ? value : dot);
    return otherwise === null ? proceed : otherwise(x, dot);
  };
}

function compileTemplate(compiler: Compiler, node: TemplateNode): Action {
  const { name } = node;
  const pipe = node.pipe === null ? null : compiler.pipe(node.pipe);
  return (x, dot) => {
    x.node = node;
    x.budget.step();
    const program = x.find(name);
    if (program === undefined) throw new Error(`template ${quote(name)} not defined`);
    const data = pipe === null ? undefined : pipe(x, dot);
    x.node = node;
    x.run(program, data);
    return proceed;
  };
}

/** Compiles a pipeline. The value of each command is passed as the last argument of the next command. */
export function compilePipe(compiler: Compiler, node: PipeNode): Evaluator {
  const commands = node.commands.map((command, index) => compiler.command(command, index > 0));
  const [first] = commands;
  const value: Evaluator =
    first !== undefined && commands.length === 1
      ? (x, dot) => first(x, dot, undefined) ?? undefined
      : (x, dot) => commands.reduce<unknown>((piped, command) => command(x, dot, piped) ?? undefined, undefined);
  const [target, second] = node.targets;
  if (target === undefined || second !== undefined) return located(node, value);
  return located(node, (x, dot) => {
    const result = value(x, dot);
    assign(x, target.slot, target.name, result);
    return result;
  });
}

function located(node: PipeNode, evaluate: Evaluator): Evaluator {
  return (x, dot) => {
    x.node = node;
    return evaluate(x, dot);
  };
}

function assign(x: Execution, slot: number, name: string, value: unknown): void {
  if (slot < 0) throw new Error(`undefined variable: ${name}`);
  x.variables[slot] = value;
}
