/** The syntax tree of a template. `position` is an index into the source text. */
import type { Integer } from '../values/number.ts';

/** Literal text between actions, after trimming. */
export interface TextNode {
  readonly kind: 'text';
  readonly position: number;
  readonly text: string;
}

/** `{{pipeline}}`. */
export interface ActionNode {
  readonly kind: 'action';
  readonly position: number;
  readonly pipe: PipeNode;
}

/** `{{if}}` and `{{with}}`. */
export interface BranchNode {
  readonly kind: 'if' | 'with';
  readonly position: number;
  readonly pipe: PipeNode;
  readonly body: ListNode;
  readonly otherwise: ListNode | null;
}

/** `{{range}}`. */
export interface RangeNode {
  readonly kind: 'range';
  readonly position: number;
  readonly pipe: PipeNode;
  readonly body: ListNode;
  readonly otherwise: ListNode | null;
}

/** `{{template "name" pipeline}}`. */
export interface TemplateNode {
  readonly kind: 'template';
  readonly position: number;
  readonly name: string;
  readonly pipe: PipeNode | null;
}

/** `{{break}}` and `{{continue}}`. */
export interface JumpNode {
  readonly kind: 'break' | 'continue';
  readonly position: number;
}

/** What stands in a body. */
export type StatementNode = TextNode | ActionNode | BranchNode | RangeNode | TemplateNode | JumpNode;

/** A body. */
export interface ListNode {
  readonly kind: 'list';
  readonly nodes: readonly StatementNode[];
}

/** Commands joined by `|`, with the variables that it declares or assigns. */
export interface PipeNode {
  readonly kind: 'pipe';
  readonly position: number;
  readonly assign: boolean;
  readonly targets: readonly VariableNode[];
  readonly commands: readonly CommandNode[];
}

/** A function, method or value with its arguments. */
export interface CommandNode {
  readonly kind: 'command';
  readonly position: number;
  readonly operands: readonly OperandNode[];
}

/** The name of a function. */
export interface IdentifierNode {
  readonly kind: 'identifier';
  readonly position: number;
  readonly name: string;
}

/** `.A.B` on dot. */
export interface FieldNode {
  readonly kind: 'field';
  readonly position: number;
  readonly names: readonly string[];
}

/** `$`, `$x` or `$x.A.B`; `name` keeps the dollar sign. */
export interface VariableNode {
  readonly kind: 'variable';
  readonly position: number;
  readonly name: string;
  /** Where its value lives while the template runs; -1 where it was assigned and never declared. */
  readonly slot: number;
  readonly names: readonly string[];
}

/** `(pipeline).A.B` or `function.A`. */
export interface ChainNode {
  readonly kind: 'chain';
  readonly position: number;
  readonly operand: OperandNode;
  readonly names: readonly string[];
}

/** A number or character constant. It has every reading that its text allows. */
export interface NumberNode {
  readonly kind: 'number';
  readonly position: number;
  readonly text: string;
  /** Its reading as an integer of 64 bits, null where it has none. */
  readonly integer: Integer | null;
  /** Its reading as a float. */
  readonly float: number;
  /** What it is where the context does not say. `overflow` is an integer of more than 63 bits. */
  readonly natural: 'int' | 'float64' | 'overflow';
}

/** A quoted or raw string; `text` is as written. */
export interface StringNode {
  readonly kind: 'string';
  readonly position: number;
  readonly text: string;
  readonly value: string;
}

/** `true` and `false`. */
export interface BoolNode {
  readonly kind: 'bool';
  readonly position: number;
  readonly value: boolean;
}

/** `.` and `nil`. */
export interface WordNode {
  readonly kind: 'dot' | 'nil';
  readonly position: number;
}

/** What can be an argument. */
export type OperandNode =
  | IdentifierNode
  | FieldNode
  | VariableNode
  | ChainNode
  | NumberNode
  | StringNode
  | BoolNode
  | WordNode
  | PipeNode;

/** Everything that an error may point at. */
export type Node = StatementNode | CommandNode | OperandNode;

/** One parsed template, its own or a `{{define}}` in it. */
export interface Tree {
  readonly name: string;
  /** Name of the file or text that it was parsed from; errors show it. */
  readonly source: string;
  /** The whole text, to find lines in. */
  readonly text: string;
  /** Number of variables, `$` included. */
  readonly slots: number;
  readonly body: ListNode;
}
