import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Name of the executable in packages and in `PATH`. */
const engineName = 'waf-engine';

/**
 * Returns the path of the engine that was installed with the server, or its name, which is then searched in `PATH`.
 * Release archives contain it next to the program, Linux packages and images in `lib/sluice`, and the npm package in
 * `engine`.
 */
export function installedEngine(program: string = process.execPath, script: string = process.argv[1] ?? ''): string {
  const folder = dirname(program);
  const places = [
    join(dirname(dirname(script)), 'engine', engineName),
    join(folder, engineName),
    join(dirname(folder), 'lib/sluice', engineName),
  ];
  return places.find((each) => existsSync(each)) ?? engineName;
}
