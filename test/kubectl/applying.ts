/** `kubectl apply` and `diff`, merged by kubectl from three sides. */
import { DEPRECATED_FLUNDER, flunder, type Scenario, type Step, said } from './scenario.ts';

const apply = (input: object, done: string, more: Partial<Step> = {}): Step => ({
  run: 'apply -f -',
  input,
  stdout: said('one', done),
  ...more,
});

const shows = (path: string, stdout: Step['stdout']): Step => ({
  run: ['get', 'flunder', 'one', '-o', `jsonpath=${path}`],
  stdout,
});

const first = flunder('one', { labels: { a: '1', b: '1' } });
const second = flunder('one', { labels: { a: '2' }, spec: {} });

export const applying: readonly Scenario[] = [
  {
    name: 'apply and re-apply',
    steps: [
      apply(first, 'created'),
      apply(first, 'unchanged'),
      { run: 'annotate flunder one by=somebody', stdout: said('one', 'annotated') },
      { run: 'label flunder one theirs=1', stdout: said('one', 'labeled') },
      apply(second, 'configured'),
      shows(
        '{.metadata.labels} {.spec} {.metadata.annotations.by}',
        '{"a":"2","theirs":"1"} {} somebody',
      ),
      {
        run: 'apply view-last-applied flunder one -o json',
        stdout: [/"a": "2"/, /"spec": \{\}/],
      },
    ],
  },
  {
    name: 'apply in the other version',
    steps: [
      apply(first, 'created'),
      apply(
        flunder('one', {
          version: 'v1alpha1',
          labels: { a: '1' },
          spec: { reference: 'lake', referenceType: 'Flunder' },
        }),
        'configured',
        { stderr: DEPRECATED_FLUNDER },
      ),
      shows(
        '{.spec} {.metadata.labels}',
        /^\{"flunderReference":"lake","referenceType":"Flunder"\} \{"a":"1"\}$/,
      ),
    ],
  },
  {
    name: 'apply to what was created otherwise',
    steps: [
      { run: 'create -f -', input: first, stdout: said('one', 'created') },
      apply(first, 'configured', {
        stderr:
          /^Warning: resource flunders\/one is missing the kubectl\.kubernetes\.io\/last-applied-configuration annotation/,
      }),
    ],
  },
  {
    name: 'apply as a dry run',
    steps: [
      { ...apply(first, 'created (server dry run)'), run: 'apply -f - --dry-run=server' },
      { ...apply(first, 'created (dry run)'), run: 'apply -f - --dry-run=client' },
      { run: 'get flunders -o name', stdout: '' },
      apply(first, 'created'),
      { ...apply(second, 'configured (server dry run)'), run: 'apply -f - --dry-run=server' },
      shows('{.metadata.labels}', '{"a":"1","b":"1"}'),
    ],
  },
  {
    name: 'diff',
    steps: [
      {
        run: 'diff -f -',
        input: first,
        code: 1,
        stdout: [/^\+kind: Flunder$/m, /^\+ {2}flunderReference: pond$/m],
      },
      { run: 'get flunders -o name', stdout: '' },
      apply(first, 'created'),
      { run: 'diff -f -', input: first, stdout: '' },
      {
        run: 'diff -f -',
        input: second,
        code: 1,
        stdout: [
          /^- {4}b: "1"$/m,
          /^\+ {4}a: "2"$/m,
          /^- {2}flunderReference: pond$/m,
          /^\+spec: \{\}$/m,
        ],
      },
      shows('{.metadata.labels}', '{"a":"1","b":"1"}'),
      {
        run: 'diff -f -',
        input: flunder('one', { spec: { flunderReference: 5 } }),
        code: 2,
        stdout: '',
        stderr: /is invalid: spec\.flunderReference: Invalid value: "integer"/,
      },
    ],
  },
];
