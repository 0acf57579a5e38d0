/**
 * Random and corrupted inputs for all decoders of untrusted data. `FUZZ_RUNS` sets the number of inputs per decoder,
 * `FUZZ_SEED` the seed, which a failure prints.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJson, JsonError, stringifyJson } from '../src/index.ts';
import { type FuzzTarget, fuzz, threadCpuMs } from './fuzz-harness.ts';
import { fuzzTargets } from './fuzz-targets.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 3_000);
const seed = Number(process.env.FUZZ_SEED ?? 20_260_101);
const options = { seed, runs, callCpuMsMax: 50, retries: 4 };

for (const target of fuzzTargets) {
  test(`${target.name}: random and corrupted inputs`, () => {
    const found = fuzz(target, options);
    assert.ok(found === undefined, found);
  });
}

const correct: FuzzTarget = {
  name: 'JSON',
  seeds: ['{"a":1,"b":[1,2],"c":"x"}'],
  dictionary: ['{', '}', '"', ',', '"a":', '1', '__proto__'],
  expected: [JsonError],
  run(input) {
    decodeJson(Buffer.from(input));
    return undefined;
  },
};

/** Targets with different defects, which the harness must find. */
const defective: { name: string; target: FuzzTarget; finds: RegExp }[] = [
  {
    name: 'an error of another type',
    target: { ...correct, run: (input) => void JSON.parse(input) },
    finds: /threw SyntaxError/,
  },
  {
    name: 'a value that changes when encoded and decoded',
    target: {
      ...correct,
      run(input) {
        const { value } = decodeJson(Buffer.from(input));
        const broken = stringifyJson(value).replace(',"c"', ',"d"');
        return broken === stringifyJson(value) ? undefined : 'is another value';
      },
    },
    finds: /is another value/,
  },
  {
    name: 'a decoder that loops',
    target: {
      ...correct,
      run(input) {
        const untilMs = threadCpuMs() + (input.includes('}}') ? 60 : 0);
        while (threadCpuMs() < untilMs);
        return undefined;
      },
    },
    finds: /took \d+ ms/,
  },
  {
    name: 'a decoder that assigns keys to a shared prototype',
    target: {
      ...correct,
      run(input) {
        const key = /__proto__/.exec(input) === null ? undefined : 'plantedByAnInput';
        if (key !== undefined) Object.defineProperty(Object.prototype, key, { configurable: true });
        return undefined;
      },
    },
    finds: /Object\.prototype has changed/,
  },
];

for (const { name, target, finds } of defective) {
  test(`the harness finds ${name}, and prints the seed`, () => {
    try {
      const found = fuzz(target, { ...options, runs: 3_000, retries: 1 });
      assert.match(found ?? '', finds);
      assert.match(found ?? '', new RegExp(`seed ${seed}`));
    } finally {
      Reflect.deleteProperty(Object.prototype, 'plantedByAnInput');
    }
  });
}

test('the same seed generates the same inputs', () => {
  const inputsOf = (withSeed: number) => {
    const inputs: string[] = [];
    const target: FuzzTarget = {
      ...correct,
      run(input) {
        inputs.push(input);
        return undefined;
      },
    };
    fuzz(target, { ...options, seed: withSeed, runs: 50 });
    return inputs;
  };
  assert.deepEqual(inputsOf(1), inputsOf(1));
  assert.notDeepEqual(inputsOf(1), inputsOf(2));
});
