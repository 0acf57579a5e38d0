/** Servers that treat conversion webhooks wrongly, one bug each: every one differs from what was recorded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, isArray, isObject, type Json, mapJson } from '../differential/json.ts';
import { put, without } from '../differential/mutants.ts';
import type { StepResult } from '../differential/step-result.ts';
import { compareRow } from '../differential/verdict.ts';
import { conversionLists, readRecorded } from './conversion-responses.ts';

interface Mutant {
  readonly name: string;
  readonly row: string;
  /** Of the answer to one step. */
  readonly step: string;
  readonly change: (response: Json) => Json;
}

const isRecordOf = (value: Json, kind: string): boolean =>
  isObject(value) && value.kind === kind && isObject(value.metadata);

const mutants: readonly Mutant[] = [
  {
    name: 'finalizers of a webhook are believed',
    row: 'labels',
    step: 'get',
    change: (a) => put(a, ['example.com/ignored'], 'body', 'metadata', 'finalizers'),
  },
  {
    name: 'the generation of a webhook is believed',
    row: 'labels',
    step: 'get',
    change: (a) => put(a, 77, 'body', 'metadata', 'generation'),
  },
  {
    name: 'labels of a webhook are not believed',
    row: 'labels',
    step: 'list',
    change: (a) =>
      mapJson(a, (value) =>
        isRecordOf(value, 'Thing') ? without(value, 'metadata', 'labels') : undefined,
      ),
  },
  {
    name: 'labels are selected as they are stored',
    row: 'labels are selected as they are shown',
    step: 'by-converted',
    change: (a) => put(a, [], 'body', 'items'),
  },
  ...['renamed', 'moved', 'another-uid', 'another-kind', 'another-version'].map((row) => ({
    name: `an object is taken that is ${row}`,
    row,
    step: 'get',
    change: (a: Json) => put(a, 200, 'status'),
  })),
  ...['too-few', 'too-many', 'another-answer', 'no-result'].map((row) => ({
    name: `an answer is taken that has ${row}`,
    row,
    step: 'list',
    change: (a: Json) => put(a, 200, 'status'),
  })),
  {
    name: 'a list leaves out what cannot be converted',
    row: 'some can be read',
    step: 'list',
    change: (a) => put(put(a, 200, 'status'), { kind: 'ThingList', items: [] }, 'body'),
  },
  {
    name: 'a page fails for what is not on it',
    row: 'some can be read',
    step: 'page',
    change: (a) => put(a, 500, 'status'),
  },
  {
    name: 'a collection is deleted as far as it can be converted',
    row: 'some can be read',
    step: 'left',
    change: (a) => put(a, [], 'body', 'items'),
  },
  {
    name: 'what cannot be converted is deleted',
    row: 'nothing can be written',
    step: 'delete',
    change: (a) => put(a, 200, 'status'),
  },
  {
    name: 'a watch skips what cannot be converted',
    row: 'some can be watched',
    step: 'watch',
    change: (a) => {
      const events = at(a, 'events');
      return put(a, isArray(events) ? [...events, ...events] : [], 'events');
    },
  },
  {
    name: 'a watch keeps back what can be converted',
    row: 'some can be watched',
    step: 'again',
    change: (a) => put(a, [], 'events'),
  },
  {
    name: 'a watch ends where something cannot be converted',
    row: 'nothing can be watched',
    step: 'watch',
    change: (a) => put(a, [{ type: 'ERROR', object: { code: 500 } }], 'events'),
  },
];

for (const { name, row, step, change } of mutants) {
  test(`caught: ${name}`, async () => {
    const reference = (await readRecorded())[`conversion: ${row}`];
    assert.ok(reference, `no row is called "${row}"`);
    const ours = reference.map((response) =>
      response.step === step ? changed(response, change) : response,
    );
    assert.notDeepEqual(ours, reference, `${row} has no step "${step}" that this changes`);
    const verdict = compareRow(`conversion: ${row}`, { ours, reference }, conversionLists);
    assert.equal(verdict.outcome, 'failed', `${name} went unnoticed`);
  });
}

function changed(response: StepResult, change: (response: Json) => Json): StepResult {
  return change(response as unknown as Json) as unknown as StepResult;
}
