/** Runs a provision, without a promise where nothing is waited for: a configuration may have thousands of modules. */
import type { Component } from './component.ts';
import type { ProvisionContext } from './provision-context.ts';

/** Provisions the component of a context; `failed` lets go of what it has acquired, and rejects. */
export function runProvision(
  context: ProvisionContext,
  provision: (context: ProvisionContext) => unknown,
  failed: (error: unknown) => Promise<never>,
): Component | Promise<Component> {
  const { component } = context;
  let instance: unknown;
  try {
    instance = provision(context);
  } catch (error) {
    return failed(error);
  }
  if (isThenable(instance)) return finish(context, instance, failed);
  component.instance = instance;
  context.end();
  return component;
}

async function finish(
  context: ProvisionContext,
  pending: PromiseLike<unknown>,
  failed: (error: unknown) => Promise<never>,
): Promise<Component> {
  const { component } = context;
  try {
    component.instance = await pending;
    context.end();
    return component;
  } catch (error) {
    return failed(error);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
