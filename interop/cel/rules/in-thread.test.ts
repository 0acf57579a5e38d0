/**
 * The recorded results hold where rules are evaluated on the loop, with a large or a small budget, and where they are
 * evaluated in a thread.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fieldErrorText, parseJson } from '@tributary/apimachinery';
import { rootSchema } from '../../../packages/server/src/schema/object-schema.ts';
import { ruleValidator } from '../../../packages/server/src/validation/schema-validation.ts';
import type { ValidationThread } from '../../../packages/server/src/validation/validate-context.ts';
import {
  openValidationThread,
  type ValidationThreadOptions,
} from '../../../packages/server/src/validation/validation-thread.ts';
import { celCases } from '../cases.ts';
import { rootPlural } from './ask-server.ts';
import { ourRootVerdict, ourVerdict } from './ours.ts';
import { readRecordedVerdicts } from './recorded-verdicts.ts';
import { object } from './scenario.ts';
import { rootScenarios } from './scenarios/roots.ts';
import { scenarios } from './scenarios.ts';

const recorded = readRecordedVerdicts();
const never = Number.POSITIVE_INFINITY;

const places: readonly {
  readonly name: string;
  readonly options: ValidationThreadOptions;
  readonly thread: 'always' | 'never' | 'sometimes';
}[] = [
  {
    name: 'all on the loop',
    options: { loop: { ms: never, cost: never, ruleLength: never } },
    thread: 'never',
  },
  { name: 'all in the thread', options: { loop: { ms: 0 } }, thread: 'always' },
  {
    name: 'given up in the middle',
    options: { loop: { ms: never, cost: 20, ruleLength: never } },
    thread: 'sometimes',
  },
];

for (const { name, options, thread: wanted } of places) {
  describe(name, () => {
    let asked = 0;
    let checked = 0;
    let thread: ValidationThread;
    const contextOf = () => ({ thread, cancellation: new AbortController() });
    before(() => {
      const own = openValidationThread(options);
      const validateRules: ValidationThread['validateRules'] = (...question) => {
        asked += 1;
        return own.validateRules(...question);
      };
      thread = { ...own, validateRules };
    });
    after(() => thread.close());

    for (const [index, scenario] of scenarios.entries()) {
      test(scenario.name, async () => {
        const verdict = await ourVerdict(scenario, `case${index}`, contextOf());
        assert.deepEqual(verdict, recorded.scenarios[scenario.name]);
      });
    }

    for (const [index, scenario] of rootScenarios.entries()) {
      test(scenario.name, async () => {
        const verdict = await ourRootVerdict(scenario, rootPlural(index), contextOf());
        assert.deepEqual(verdict, recorded.scenarios[scenario.name]);
      });
    }

    // Results of upstream are compared elsewhere, with those of the loop.
    test('every recorded expression', async () => {
      for (const { name: one, schema, expression, self, oldSelf, optionalOldSelf } of celCases) {
        if (schema === undefined || expression.trim() === '') continue;
        const rule = {
          rule: expression,
          ...(optionalOldSelf !== undefined && { optionalOldSelf }),
        };
        const ruled = { ...schema, 'x-kubernetes-validations': [rule] };
        const validator = ruleValidator(rootSchema(object({ root: ruled })));
        const holding = (text: string | undefined) =>
          text === undefined ? undefined : ({ root: parseJson(Buffer.from(text)) } as never);
        const next = holding(self) ?? ({} as never);
        const live = holding(oldSelf);
        const here = validator.validate(next, { live });
        checked += 1;
        const found = await validator.validateInContext(next, contextOf(), { live });
        assert.deepEqual(found.map(fieldErrorText), here.map(fieldErrorText), one);
        assert.deepEqual(found, here, one);
      }
    });

    test(`the thread was asked: ${wanted}`, () => {
      assert.ok(checked > 400, `${checked}`);
      if (wanted === 'never') assert.equal(asked, 0);
      else assert.ok(asked > (wanted === 'always' ? checked / 2 : 50), `${asked} of ${checked}`);
    });
  });
}
