/** Small parts that every view has. */
import { cloneElement, type ComponentChildren, type VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { Health } from '../base/health.ts';

const shapes: Readonly<Record<Health, string>> = { ok: '●', warn: '▲', bad: '■', idle: '○' };

/** A state: always with a colour, a shape and a word. */
export function State({ health, children }: { health: Health; children: ComponentChildren }) {
  return (
    <span class={`state ${health}`}>
      <span aria-hidden="true">{shapes[health]}</span> {children}
    </span>
  );
}

/** A box with a heading. */
export function Card({
  title,
  side,
  children,
}: {
  title: string;
  side?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {side !== undefined && <div class="side">{side}</div>}
      </header>
      {children}
    </section>
  );
}

/** What is shown where there is nothing. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

/** A failure that stays on the screen. */
export function Problem({ children }: { children: ComponentChildren }) {
  return (
    <div class="problem" role="alert">
      <span aria-hidden="true">■</span> <div>{children}</div>
    </div>
  );
}

/** A piece of text to be read letter by letter, or typed. */
export function Code({ children }: { children: ComponentChildren }) {
  return <code>{children}</code>;
}

/** A field with its label above it. The first child is the control. */
export function Field({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: string | undefined;
  children: VNode | [VNode, ComponentChildren];
}) {
  const id = useId();
  const [control, more] = Array.isArray(children) ? children : [children, null];
  const described = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      {cloneElement(control, { id, ...described })}
      {more}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** The name of a view, with what can be done in it. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="heading">
      <h1>{title}</h1>
      <div class="actions">{children}</div>
    </div>
  );
}
