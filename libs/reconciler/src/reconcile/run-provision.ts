import type { Component } from './component.ts';
import type { PendingWork } from './pending-work.ts';
import type { ProvisionContext } from './provision-context.ts';

export interface ProvisionRun {
  readonly pending: PendingWork;
  /** Releases the resources that were acquired, and rejects with the error. */
  readonly failed: (error: unknown) => Promise<never>;
}

export function runProvision(
  context: ProvisionContext,
  provision: (context: ProvisionContext) => unknown,
  run: ProvisionRun,
): Component | Promise<Component> {
  const { component } = context;
  let instance: unknown;
  try {
    instance = provision(context);
    if (isThenable(instance)) return finish(context, instance, run);
  } catch (error) {
    return run.failed(error);
  }
  component.instance = instance;
  context.end();
  return component;
}

async function finish(
  context: ProvisionContext,
  promised: PromiseLike<unknown>,
  { pending, failed }: ProvisionRun,
): Promise<Component> {
  const { component } = context;
  try {
    component.instance = await pending.within(promised, () =>
      context.waitsForOthers ? null : pending.lateError('provision', context.moduleId),
    );
    context.end();
    return component;
  } catch (error) {
    return failed(error);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
