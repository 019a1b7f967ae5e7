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

export type StatementNode = TextNode | ActionNode | BranchNode | RangeNode | TemplateNode | JumpNode;

/** A sequence of statements. */
export interface ListNode {
  readonly kind: 'list';
  readonly nodes: readonly StatementNode[];
}

/** Commands joined by `|`, with the variables that they declare or assign. */
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

export interface IdentifierNode {
  readonly kind: 'identifier';
  readonly position: number;
  readonly name: string;
}

/** `.A.B`, relative to dot. */
export interface FieldNode {
  readonly kind: 'field';
  readonly position: number;
  readonly names: readonly string[];
}

/** `$`, `$x` or `$x.A.B`; `name` includes the dollar sign. */
export interface VariableNode {
  readonly kind: 'variable';
  readonly position: number;
  readonly name: string;
  /** Slot of the value at run time; -1 if the variable was assigned but never declared. */
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

/** A number or character constant, with all interpretations that its text allows. */
export interface NumberNode {
  readonly kind: 'number';
  readonly position: number;
  readonly text: string;
  /** Value as a 64-bit integer; null if impossible. */
  readonly integer: Integer | null;
  readonly float: number;
  /** Type, if the context does not determine it. `overflow` means an integer of more than 63 bits. */
  readonly natural: 'int' | 'float64' | 'overflow';
}

/** A quoted or raw string. `text` is the source text. */
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

/** Any node that an error can reference. */
export type Node = StatementNode | CommandNode | OperandNode;

/** A parsed template: the text itself, or a `{{define}}` in the text. */
export interface Tree {
  readonly name: string;
  /** Name of the file or text, for errors. */
  readonly source: string;
  /** The whole text, for determining lines. */
  readonly text: string;
  /** Number of variables, including `$`. */
  readonly slots: number;
  readonly body: ListNode;
}
