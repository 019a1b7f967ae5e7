/** Finds accessibility violations in a page using axe. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/**
 * Returns violations of any impact. The check is injected through the browser's debugging protocol, because the page's content security
 * policy forbids injected scripts.
 */
export async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const run = Reflect.get(globalThis, 'axe') as { run: (options: object) => Promise<{ violations: unknown }> };
    return (await run.run({ resultTypes: ['violations'] })).violations;
  });
  return (violations as readonly Violation[]).flatMap(({ id, impact, nodes }) =>
    nodes
      .slice(0, 3)
      .map(
        ({ html, failureSummary }) =>
          `${id} (${impact}): ${html.slice(0, 160)} ${failureSummary.replaceAll(/\s+/g, ' ').slice(0, 200)}`,
      ),
  );
}
