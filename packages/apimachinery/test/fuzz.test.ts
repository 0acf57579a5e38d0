/**
 * Random and damaged inputs for everything that reads what strangers send. `FUZZ_RUNS` sets how many inputs each part
 * gets, `FUZZ_SEED` which ones; a failure prints the seed.
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
  test(`${target.name}: random and damaged inputs`, () => {
    const found = fuzz(target, options);
    assert.ok(found === undefined, found);
  });
}

const sound: FuzzTarget = {
  name: 'JSON',
  seeds: ['{"a":1,"b":[1,2],"c":"x"}'],
  dictionary: ['{', '}', '"', ',', '"a":', '1', '__proto__'],
  expected: [JsonError],
  run(input) {
    decodeJson(Buffer.from(input));
    return undefined;
  },
};

/** Each of these is broken in another way, and the harness must tell. */
const planted: { name: string; target: FuzzTarget; finds: RegExp }[] = [
  {
    name: 'an error of another type',
    target: { ...sound, run: (input) => void JSON.parse(input) },
    finds: /threw SyntaxError/,
  },
  {
    name: 'a value that changes when written and read',
    target: {
      ...sound,
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
      ...sound,
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
      ...sound,
      run(input) {
        const key = /__proto__/.exec(input) === null ? undefined : 'plantedByAnInput';
        if (key !== undefined) Object.defineProperty(Object.prototype, key, { configurable: true });
        return undefined;
      },
    },
    finds: /Object\.prototype has changed/,
  },
];

for (const { name, target, finds } of planted) {
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

test('the same seed makes the same inputs', () => {
  const inputsOf = (withSeed: number) => {
    const inputs: string[] = [];
    const target: FuzzTarget = {
      ...sound,
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
