import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aLocalApiService } from '../../test/registration-fixture.ts';
import {
  AUTO_MANAGED,
  type Managing,
  planAutoRegister,
  type Situation,
} from './auto-register-plan.ts';

const NAME = 'v1.a.example.com';
const { spec } = aLocalApiService(NAME);
const other = { ...spec, versionPriority: 7 };
const current = (managing?: string) =>
  aLocalApiService(NAME, {
    metadata: managing === undefined ? {} : { labels: { [AUTO_MANAGED]: managing } },
    spec: { versionPriority: 7 },
  });
const wanted = (managing: Managing) => ({ managing, spec });

type Row = [there: string, Partial<Situation>, none: string, onstart: string, always: string];
const rows: readonly Row[] = [
  ['nothing', { current: undefined }, 'nothing', 'create', 'create'],
  ['nothing any more', { current: undefined, isDone: true }, 'nothing', 'create', 'create'],
  ['somebody’s', { current: current() }, 'nothing', 'nothing', 'nothing'],
  [
    'somebody’s, from before',
    { current: current(), wasThere: true },
    'nothing',
    'nothing',
    'nothing',
  ],
  [
    'of an unknown label',
    { current: current('yes'), wasThere: true },
    'nothing',
    'nothing',
    'nothing',
  ],
  ['onstart, since then', { current: current('onstart') }, 'nothing', 'nothing', 'nothing'],
  [
    'onstart, from before',
    { current: current('onstart'), wasThere: true },
    'delete',
    'update',
    'update',
  ],
  [
    'onstart, from before, done',
    { current: current('onstart'), wasThere: true, isDone: true },
    'nothing',
    'nothing',
    'nothing',
  ],
  ['true', { current: current('true') }, 'delete', 'update', 'update'],
  ['true, done', { current: current('true'), isDone: true }, 'delete', 'nothing', 'update'],
];

for (const [there, situation, ...steps] of rows) {
  describe(`what is there is ${there}`, () => {
    const columns = [undefined, wanted('onstart'), wanted('true')];
    for (const [index, want] of steps.entries()) {
      const name = columns[index]?.managing ?? 'nothing';
      test(`and wanted is ${name}: ${want}`, () => {
        const step = planAutoRegister({
          current: undefined,
          wanted: columns[index],
          wasThere: false,
          isDone: false,
          ...situation,
        });
        assert.equal(step.kind, want);
        if (step.kind === 'create' || step.kind === 'update') assert.equal(step.spec, spec);
        if (step.kind === 'create') assert.equal(step.managing, columns[index]?.managing);
      });
    }
  });
}

test('what is as it should be is not written', () => {
  const asWanted = { ...current('true'), spec: structuredClone(spec) };
  const situation = { wanted: wanted('true'), wasThere: true, isDone: false };
  assert.equal(planAutoRegister({ ...situation, current: asWanted }).kind, 'nothing');
  const changed = { ...asWanted, spec: other };
  assert.equal(planAutoRegister({ ...situation, current: changed }).kind, 'update');
});
