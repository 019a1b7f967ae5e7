/**
 * Runs the CEL conformance suite from its npm package. Excludes tests that need variables or custom protocol buffer messages, which
 * expressions in a configuration cannot have.
 */
import { isCelError, isCelList, isCelMap, isCelUint, plan, type CelValue } from '@bufbuild/cel';
import type { Value } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import {
  getConformanceSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from '@bufbuild/cel-spec/testdata/tests.js';
import { expect } from 'chai';
import { parseExpression } from '../../src/expression/compile.ts';
import { checkConstants } from '../../src/expression/constants.ts';
import { makeEnvironment } from '../../src/expression/environment.ts';
import { rewrite } from '../../src/expression/rewrite.ts';

/** Tests whose results differ from the suite as they do in Caddy, with the reasons. */
const differing: ReadonlyMap<string, string> = new Map([
  ['value_errors/indexof_out_of_range', 'there is nothing beyond the end: -1'],
  ['value_errors/lastindexof_out_of_range', 'there is nothing beyond the end: -1'],
  ['qualified_identifier_resolution/map_value_repeat_key_heterogeneous', 'the first of equal keys of two types counts'],
]);

/** CEL extensions that neither Caddy nor Sluice supports. */
const extensions =
  /^conformance\/(?:macros2|block_ext|encoders_ext|optionals|proto2_ext|network_ext)\/|\b(?:TestAllTypes|google\.protobuf|NestedTestAllTypes|TestRequired|GlobalEnum|proto\.)/;

const environment = makeEnvironment([]);

function rowsOf(suite: IncrementalTestSuite, path = ''): (readonly [string, IncrementalTest])[] {
  const name = path === '' ? suite.name : `${path}/${suite.name}`;
  const own = suite.tests.map((test) => [`${name}/${test.name}`, test] as const);
  return [...own, ...suite.suites.flatMap((inner) => rowsOf(inner, name))];
}

function isPlain([name, { original }]: readonly [string, IncrementalTest]): boolean {
  const { expr, bindings, typeEnv, container } = original;
  const isClosed = Object.keys(bindings).length === 0 && typeEnv.length === 0 && container === '';
  return isClosed && !extensions.test(`${name} ${expr}`);
}

/** Returns the value of an expression. Returns an error if the expression is rejected or its evaluation fails. */
function evaluate(source: string): CelValue | Error {
  try {
    const tree = rewrite(parseExpression(source), '', { matchers: [], values: [], namesAtRunTime: false });
    checkConstants(tree, environment);
    const result = plan(environment, tree)();
    return isCelError(result) ? new Error(result.message) : result;
  } catch (error) {
    return error as Error;
  }
}

/** Reports whether a value equals the expected value. Returns `null` for values that cannot be compared, such as messages. */
function fits(value: CelValue | Error, { kind }: Value): boolean | null {
  switch (kind.case) {
    case 'boolValue':
    case 'stringValue':
    case 'int64Value':
      return value === kind.value;
    case 'doubleValue':
      return Object.is(value, kind.value);
    case 'uint64Value':
      return isCelUint(value) && value.value === kind.value;
    case 'nullValue':
      return value === null;
    case 'bytesValue':
      return value instanceof Uint8Array && Buffer.from(value).equals(kind.value);
    case 'listValue': {
      if (!isCelList(value) || value.size !== kind.value.values.length) return false;
      const items = [...value];
      return kind.value.values.every((item, index) => fits(items[index] as CelValue, item) !== false);
    }
    case 'mapValue': {
      if (!isCelMap(value) || value.size !== kind.value.entries.length) return false;
      const entries = [...value];
      return kind.value.entries.every(({ key, value: item }) =>
        entries.some(([k, v]) => key && item && fits(k, key) !== false && fits(v, item) !== false),
      );
    }
    default:
      return null;
  }
}

describe('http.matchers.expression: CEL conformance suite', () => {
  it('expressions return the values and errors of the CEL conformance suite', () => {
    let same = 0;
    const failed: string[] = [];
    for (const [name, { original }] of rowsOf(getConformanceSuite()).filter(isPlain)) {
      const { expr, resultMatcher } = original;
      if ([...differing.keys()].some((known) => name.endsWith(known))) continue;
      const value = evaluate(expr);
      let isSame: boolean | null = null;
      if (resultMatcher.case === 'value') isSame = fits(value, resultMatcher.value);
      else if (resultMatcher.case === 'evalError') isSame = value instanceof Error;
      else if (resultMatcher.case === undefined) isSame = value === true;
      if (isSame === true) same++;
      else if (isSame === false) failed.push(`${name}: ${expr}`);
    }
    expect(failed).to.deep.equal([]);
    expect(same).to.be.greaterThan(1350);
  });
});
