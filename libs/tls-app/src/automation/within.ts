/** Waits for a task, but not for ever: `milliseconds` at most. */
export async function within(task: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([task, timeout]);
  clearTimeout(timer);
}
