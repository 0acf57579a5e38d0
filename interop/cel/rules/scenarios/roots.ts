/** Rules of whole objects, and of their status. */
import { INTEGER, object, type RootScenario, ruled, TEXT } from '../scenario.ts';

const spec = object({ n: INTEGER });
const whole = (more: object, ...rules: Parameters<typeof ruled>[1][]) =>
  ruled(object({ spec, status: object({ n: INTEGER }), ...more }), ...rules);

export const rootScenarios: readonly RootScenario[] = [
  {
    name: 'root: type and names',
    schema: whole(
      {},
      'self.metadata.name == "other"',
      'self.kind == "Other"',
      'self.apiVersion == "v2"',
      'self.spec.n < 5 || has(self.metadata.generateName)',
    ),
    after: { spec: { n: 9 } },
  },
  {
    name: 'root: a place',
    schema: whole({}, { rule: 'self.spec.n < 5', fieldPath: '.spec.n', message: 'too many' }),
    after: { spec: { n: 9 } },
  },
  {
    name: 'root: the name is restricted',
    schema: whole(
      { metadata: object({ name: { ...TEXT, pattern: '^x' } }) },
      'self.metadata.name.startsWith("x")',
    ),
    after: { spec: { n: 1 } },
  },
  {
    name: 'root: something required',
    schema: { ...whole({}, 'self.spec.n < 5'), required: ['spec'] },
    after: { status: { n: 1 } },
  },
  {
    name: 'root: a required field that was not there before either',
    schema: { ...whole({ extra: INTEGER }, 'self.spec.n < 5'), required: ['extra'] },
    before: { spec: { n: 1 } },
    after: { spec: { n: 2 } },
  },
  {
    name: 'root: the status is part of the object',
    schema: whole({}, '!has(self.status) || self.status.n < self.spec.n'),
    before: { spec: { n: 5 }, status: { n: 3 } },
    after: { spec: { n: 2 }, status: { n: 0 } },
  },
  {
    name: 'root: a change',
    schema: whole({}, 'self.spec.n >= oldSelf.spec.n'),
    before: { spec: { n: 5 } },
    after: { spec: { n: 2 } },
  },
  {
    name: 'root: a change of the status',
    schema: whole({}, 'self.status.n >= oldSelf.status.n'),
    before: { spec: { n: 5 }, status: { n: 3 } },
    after: { spec: { n: 5 }, status: { n: 2 } },
    part: 'status',
  },
  {
    name: 'root: the status alone is judged by the schema',
    schema: {
      ...ruled(
        object({
          spec,
          status: object({ n: { type: 'integer', maximum: 5 }, l: TEXT }),
          extra: INTEGER,
        }),
        'self.spec.n > 100',
      ),
      required: ['extra'],
    },
    before: { spec: { n: 5 }, status: { n: 3 } },
    after: { spec: { n: 7 }, status: { n: 9, l: 1 } },
    part: 'status',
  },
  {
    name: 'root: a rule of what did not change while the status does',
    schema: ruled(
      object({ spec: ruled(spec, 'self.n > 100'), status: object({ n: INTEGER }) }),
      'true',
    ),
    before: { spec: { n: 5 }, status: { n: 3 } },
    after: { spec: { n: 7 }, status: { n: 9 } },
    part: 'status',
  },
  {
    name: 'root: wrong types of status and specification',
    schema: whole({}, 'self.spec.n > 100'),
    before: { spec: { n: 5 }, status: { n: 3 } },
    after: { spec: { n: 7 }, status: 'text' },
    part: 'status',
  },
];
