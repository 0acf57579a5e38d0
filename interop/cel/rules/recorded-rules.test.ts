/** The engine of rules says of every recorded expression what upstream's validator of custom resources said. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorText, parseJson } from '@tributary/apimachinery';
import { compileRules } from '../../../packages/server/src/schema/rules/compile-rules.ts';
import type { CelCase } from '../case.ts';
import { celCases } from '../cases.ts';
import { withFirstSyntaxError } from '../compare.ts';
import { differences } from '../differences.ts';
import type { RuleResult } from '../evaluator.ts';
import { readRecordedResponses } from '../recorded-results.ts';
import { object } from './scenario.ts';

const { responses } = readRecordedResponses();

/** The path that upstream's validator was given. */
const PROPERTY = 'root';

function checked({ schema, expression, self, oldSelf, optionalOldSelf }: CelCase) {
  const rule = { rule: expression, ...(optionalOldSelf !== undefined && { optionalOldSelf }) };
  const ruled = { ...schema, 'x-kubernetes-validations': [rule] };
  const { validate } = compileRules(object({ [PROPERTY]: ruled }));
  const holding = (text: string | undefined) =>
    text === undefined ? undefined : { [PROPERTY]: parseJson(Buffer.from(text)) };
  const errors = validate?.(holding(self) ?? {}, holding(oldSelf)) ?? [];
  return errors.map((error) => anonymous(fieldErrorText(error))).sort();
}

/** The name of the type of self has digits of the clock in it. */
function anonymous(text: string): string {
  return text.replace(/selfType\d+/g, 'selfType');
}

const cases = celCases.flatMap((one) => {
  const rule = responses[one.name]?.rule;
  const isRule = one.schema !== undefined && one.expression.trim() !== '';
  return rule === undefined || !isRule || differences.has(one.name) ? [] : [{ one, rule }];
});

test('there are hundreds of them', () => assert.ok(cases.length > 400, `${cases.length}`));

for (const { one, rule } of cases) {
  test(one.name, () => compare(checked(one), withFirstSyntaxError(rule)));
}

function compare(found: readonly string[], { errors = [], compileError }: RuleResult): void {
  if (compileError === undefined) {
    assert.deepEqual(found, errors.map(anonymous).toSorted());
  } else {
    assert.ok(found[0]?.includes(anonymous(compileError)), found[0]);
  }
}
