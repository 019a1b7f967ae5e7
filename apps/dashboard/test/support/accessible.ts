/** What axe finds in a page. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What is serious or critical. It is run apart from the page, where the policy does not reach. */
export async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const run = Reflect.get(globalThis, 'axe') as { run: (options: object) => Promise<{ violations: unknown }> };
    return (await run.run({ resultTypes: ['violations'] })).violations;
  });
  return (violations as readonly Violation[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(
          ({ html, failureSummary }) =>
            `${id}: ${html.slice(0, 160)} ${failureSummary.replaceAll(/\s+/g, ' ').slice(0, 200)}`,
        ),
    );
}
