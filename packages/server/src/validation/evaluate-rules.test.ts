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
const elsewhere = [fieldError.invalid(root('spec'), 'a', 'said elsewhere')];

/** A thread that answers what it is told to, and how often it was asked. */
function threadThat(answer: () => TimedResult, isOver: () => boolean) {
  let asked = 0;
  const thread: ValidationThread = {
    allowance: () => ({ cost: 1000, ruleLength: 1000, isOver }),
    validateRules: async () => {
      asked += 1;
      return answer();
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

test('what is short is said at once, without a promise', () => {
  const { thread, asked } = threadThat(
    () => assert.fail(),
    () => false,
  );
  assert.deepEqual(ruleEvaluator(schema)(object, question(thread)), broken);
  assert.deepEqual(ruleEvaluator(schema)(object, question()), broken);
  assert.deepEqual(ruleEvaluator(rootSchema({ type: 'object' }))(object, question(thread)), []);
  assert.equal(asked(), 0);
});

test('what is long is said by the thread, with its warnings', async () => {
  const { thread } = threadThat(
    () => ({ errors: elsewhere, warnings: ['w'], tookMs: 1 }),
    () => true,
  );
  const warned: string[] = [];
  const found = ruleEvaluator(schema)(object, question(thread, warned));
  assert.ok(found instanceof Promise);
  assert.deepEqual(warned, []);
  assert.deepEqual(await found, elsewhere);
  assert.deepEqual(warned, ['w']);
});

test('what was long the last time is not tried here, until it is short again', async () => {
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

test('a thread that fails is heard of', async () => {
  const { thread } = threadThat(
    () => {
      throw new Error('gone');
    },
    () => true,
  );
  await assert.rejects(async () => ruleEvaluator(schema)(object, question(thread)), /gone/);
});
