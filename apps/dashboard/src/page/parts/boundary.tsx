/** Error boundary that keeps the menu and the draft when rendering fails. */
import { Component, type ComponentChildren } from 'preact';
import { reasonOf } from '../api/client.ts';
import { Problem } from './basic.tsx';

export class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly problem: string | null }> {
  override state = { problem: null };

  static override getDerivedStateFromError(error: unknown): { readonly problem: string } {
    // Errors caught here are not logged to the console otherwise.
    reportError(error);
    return { problem: reasonOf(error) };
  }

  override render(
    { children }: { readonly children: ComponentChildren },
    { problem }: { readonly problem: string | null },
  ) {
    if (problem === null) return children;
    return <Problem>Cannot display this view because of a bug in the dashboard: {problem}</Problem>;
  }
}
