/** Syntax tree of a template. Each `position` is an index into the source text. */
import type { Integer } from '../values/number.ts';

/** Literal text between two actions, after whitespace trimming. */
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

/** A list of statements in a template. */
export interface ListNode {
  readonly kind: 'list';
  readonly nodes: readonly StatementNode[];
}

/** A pipeline: commands joined by `|`, and the variables that it declares or assigns. */
export interface PipeNode {
  readonly kind: 'pipe';
  readonly position: number;
  readonly assign: boolean;
  readonly targets: readonly VariableNode[];
  readonly commands: readonly CommandNode[];
}

/** A command in a pipeline: a function, method or value, with arguments. */
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

/** A field chain such as `.A.B`, relative to dot. */
export interface FieldNode {
  readonly kind: 'field';
  readonly position: number;
  readonly names: readonly string[];
}

/** A variable, optionally with fields: `$`, `$x` or `$x.A.B`. `name` includes the dollar sign. */
export interface VariableNode {
  readonly kind: 'variable';
  readonly position: number;
  readonly name: string;
  /** Slot that stores the value at run time, or -1 if the variable was assigned but never declared. */
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

/** A number or character constant, with its value in every type that its text allows. */
export interface NumberNode {
  readonly kind: 'number';
  readonly position: number;
  readonly text: string;
  /** Value as a 64-bit integer, or null if the constant is not an integer. */
  readonly integer: Integer | null;
  readonly float: number;
  /** Type to use if the context does not determine one. `overflow` marks an integer of more than 63 bits. */
  readonly natural: 'int' | 'float64' | 'overflow';
}

/** A quoted or raw string constant. `text` is its source text, including quotes. */
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

/** Any node whose location an error can report. */
export type Node = StatementNode | CommandNode | OperandNode;

/** A parsed template: either a whole text or a `{{define}}` within it. */
export interface Tree {
  readonly name: string;
  /** Name of the source file or text, for error messages. */
  readonly source: string;
  /** The complete source text, used to compute line numbers. */
  readonly text: string;
  /** Number of variable slots, including the slot of `$`. */
  readonly slots: number;
  readonly body: ListNode;
}
