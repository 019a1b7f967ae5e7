/** Prints nodes as template source, for the `at <…>` part of error messages. */
import { quote } from '../fmt/quote.ts';
import type { Node, PipeNode } from './nodes.ts';

/** Prints a node with normalized spacing. Only the node types that an error can refer to are printed completely. */
export function printNode(node: Node): string {
  switch (node.kind) {
    case 'command':
      return node.operands.map(printArgument).join(' ');
    case 'pipe':
      return printPipe(node);
    case 'identifier':
      return node.name;
    case 'field':
      return `.${node.names.join('.')}`;
    case 'variable':
      return [node.name, ...node.names].join('.');
    case 'chain':
      return `${printArgument(node.operand)}.${node.names.join('.')}`;
    case 'number':
    case 'string':
      return node.text;
    case 'bool':
      return String(node.value);
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe === null ? '' : ` ${printPipe(node.pipe)}`}}}`;
    case 'text':
      return node.text;
    case 'action':
      return `{{${printPipe(node.pipe)}}}`;
    case 'if':
    case 'with':
    case 'range':
      return `{{${node.kind} ${printPipe(node.pipe)}}}`;
    case 'break':
    case 'continue':
      return `{{${node.kind}}}`;
  }
}

function printArgument(node: Node): string {
  return node.kind === 'pipe' ? `(${printPipe(node)})` : printNode(node);
}

function printPipe(pipe: PipeNode): string {
  const targets = pipe.targets.map(printNode).join(', ');
  const commands = pipe.commands.map(printNode).join(' | ');
  return targets === '' ? commands : `${targets} ${pipe.assign ? '=' : ':='} ${commands}`;
}
