/** Reads the report of h2spec, which is one of JUnit. */

/** The result of a check. */
export interface Checked {
  /** Section and number in it, such as `http2/6.9.1/3`. */
  readonly check: string;
  readonly what: string;
  readonly failed: boolean;
}

const suites = /<testsuite [^>]*package="([^"]*)"[^>]*>([^]*?)<\/testsuite>/g;
const cases = /<testcase [^>]*classname="([^"]*)"[^>]*?(?:\/>|>([^]*?)<\/testcase>)/g;

/** The checks of a report, in their order. */
export function readReport(report: string): Checked[] {
  const checks: Checked[] = [];
  for (const [, section = '', body = ''] of report.matchAll(suites)) {
    let number = 0;
    for (const [, what = '', result = ''] of body.matchAll(cases)) {
      const failed = result.includes('<failure') || result.includes('<error');
      checks.push({ check: `${section}/${++number}`, what, failed });
    }
  }
  return checks;
}
