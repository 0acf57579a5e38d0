import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldError, type KubeObject, root } from '@tributary/apimachinery';
import { rootSchema } from '../schema/object-schema.ts';
import { type RuleOptions, ruleEvaluator } from './evaluate-rules.ts';
import type { TimedResult, ValidationThread } from './validate-context.ts';

const schema = rootSchema({
  type: 'object',
  properties: {
    spec: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != "a"', message: 'no' }] },
  },
});
const object = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, spec: 'a' } as KubeObject;
const broken = [fieldError.invalid(root('spec'), 'a', 'no')];
const elsewhere = [fieldError.invalid(root('spec'), 'a', 'from the thread')];

/** A thread that answers what it is told to, and how often it was asked. */
function threadThat(result: () => TimedResult, isOver: () => boolean) {
  let asked = 0;
  const thread: ValidationThread = {
    allowance: () => ({ cost: 1000, ruleLength: 1000, isOver }),
    validateRules: async () => {
      asked += 1;
      return result();
    },
    runJob: () => assert.fail(),
    decodeYaml: () => assert.fail(),
    close: async () => {},
  };
  return { thread, asked: () => asked };
}

function question(thread?: ValidationThread, warned: string[] = []): RuleOptions {
  const context = thread && { thread, cancellation: new AbortController() };
  return {
    live: undefined,
    correlation: undefined,
    warn: (text) => warned.push(text),
    context,
  };
}

test('rules within the limits are evaluated on the event loop', async () => {
  const { thread, asked } = threadThat(
    () => assert.fail(),
    () => false,
  );
  assert.deepEqual(await ruleEvaluator(schema)(object, question(thread)), broken);
  assert.deepEqual(await ruleEvaluator(schema)(object, question()), broken);
  const withoutRules = ruleEvaluator(rootSchema({ type: 'object' }));
  assert.deepEqual(await withoutRules(object, question(thread)), []);
  assert.equal(asked(), 0);
});

test('rules beyond the limits are evaluated in the thread, with their warnings', async () => {
  const { thread } = threadThat(
    () => ({ errors: elsewhere, warnings: ['w'], tookMs: 1 }),
    () => true,
  );
  const warned: string[] = [];
  const found = ruleEvaluator(schema)(object, question(thread, warned));
  assert.deepEqual(warned, []);
  assert.deepEqual(await found, elsewhere);
  assert.deepEqual(warned, ['w']);
});

test('rules that exceeded the limits start in the thread, until they are within the limits again', async () => {
  let tookMs = 1000;
  let looks = 0;
  const { thread, asked } = threadThat(
    () => ({ errors: elsewhere, warnings: [], tookMs }),
    () => ++looks > 0,
  );
  const ask = ruleEvaluator(schema);
  await ask(object, question(thread));
  assert.deepEqual([looks, asked()], [1, 1]);
  tookMs = 1;
  await ask(object, question(thread));
  assert.deepEqual([looks, asked()], [1, 2]);
  await ask(object, question(thread));
  assert.deepEqual([looks, asked()], [2, 3]);
});

test('a failure of the thread rejects the evaluation', async () => {
  const { thread } = threadThat(
    () => {
      throw new Error('gone');
    },
    () => true,
  );
  await assert.rejects(async () => ruleEvaluator(schema)(object, question(thread)), /gone/);
});
