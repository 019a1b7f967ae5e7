import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** File name of the WAF engine's executable, in packages and in `PATH`. */
const engineName = 'waf-engine';

/**
 * Returns the path of the WAF engine that was installed with the server. If none is found, returns the bare name, which is looked up in
 * `PATH`. Release archives contain the engine next to the program. Linux packages and images have it in `lib/sluice`, and the npm package
 * in `engine`.
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
