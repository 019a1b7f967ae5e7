/** Waits until a condition is true. */
export async function until(condition: () => boolean, milliseconds = 3_000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not reached in ${milliseconds} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
