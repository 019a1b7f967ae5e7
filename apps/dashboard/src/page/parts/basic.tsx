/** Basic components of all views. */
import { cloneElement, type ComponentChildren, type VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { Health } from '../base/health.ts';

const shapes: Readonly<Record<Health, string>> = { ok: '●', warn: '▲', bad: '■', idle: '○' };

export function State({ health, children }: { health: Health; children: ComponentChildren }) {
  return (
    <span class={`state ${health}`}>
      <span aria-hidden="true">{shapes[health]}</span> {children}
    </span>
  );
}

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

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

export function Problem({ children }: { children: ComponentChildren }) {
  return (
    <div class="problem" role="alert">
      <span aria-hidden="true">■</span> <div>{children}</div>
    </div>
  );
}

export function Code({ children }: { children: ComponentChildren }) {
  return <code>{children}</code>;
}

/** Renders a form field with a label, a hint and an error message. The first child is the control. */
export function Field({
  label,
  hint,
  problem = null,
  children,
}: {
  label: string;
  hint?: string | undefined;
  /** Reason why the value is invalid. */
  problem?: string | null;
  children: VNode | [VNode, ComponentChildren];
}) {
  const id = useId();
  const [control, more] = Array.isArray(children) ? children : [children, null];
  const describers = [...(hint === undefined ? [] : [`${id}-hint`]), ...(problem === null ? [] : [`${id}-problem`])];
  const described = {
    ...(describers.length === 0 ? {} : { 'aria-describedby': describers.join(' ') }),
    ...(problem === null ? {} : { 'aria-invalid': true }),
  };
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      {cloneElement(control, { id, ...described })}
      {more}
      {problem !== null && (
        <span class="state bad invalid" id={`${id}-problem`}>
          <span aria-hidden="true">■</span> {problem}
        </span>
      )}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="heading">
      <h1>{title}</h1>
      <div class="actions">{children}</div>
    </div>
  );
}
