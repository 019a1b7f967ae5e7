/** What fails while it is drawn fails alone: the menu and the draft stay. */
import { Component, type ComponentChildren } from 'preact';
import { reasonOf } from '../api/client.ts';
import { Problem } from './basic.tsx';

/** Draws its children, or why that was not possible. */
export class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly problem: string | null }> {
  override state = { problem: null };

  static override getDerivedStateFromError(error: unknown): { readonly problem: string } {
    // For the console, as what is caught here would not get there.
    reportError(error);
    return { problem: reasonOf(error) };
  }

  override render(
    { children }: { readonly children: ComponentChildren },
    { problem }: { readonly problem: string | null },
  ) {
    if (problem === null) return children;
    return <Problem>This view cannot be drawn, by a defect of the dashboard: {problem}</Problem>;
  }
}
