/** Message from the control thread to the thread that runs tests. */
import type { ModuleSource } from '../modules/module-source.ts';
import type { TestTask } from '../test-cases/test-task.ts';

export interface TestMessage {
  readonly task: TestTask;
  /** Third-party module packages. */
  readonly modules: readonly ModuleSource[];
}
