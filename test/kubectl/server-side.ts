/** `kubectl apply --server-side`: owners of fields. */
import { flunder, refersTo, type Scenario, type Step } from './scenario.ts';

const APPLIED = 'flunder.wardle.example.com/one serverside-applied';

function apply(input: object, flags = '', more: Partial<Step> = {}): Step {
  return { run: `apply --server-side -f -${flags}`, input, stdout: APPLIED, ...more };
}

const shows = (path: string, stdout: Step['stdout']): Step => ({
  run: ['get', 'flunder', 'one', '-o', `jsonpath=${path}`],
  stdout,
});

const MANAGERS = '{range .metadata.managedFields[*]}{.manager} {.operation};{end}';
const first = flunder('one', { labels: { a: '1', b: '1' } });
const conflicting = flunder('one', { spec: refersTo('lake') });

export const serverSide: readonly Scenario[] = [
  {
    name: 'apply --server-side',
    steps: [
      apply(first),
      apply(first),
      shows(MANAGERS, 'kubectl Apply;'),
      apply(flunder('one', { labels: { a: '2' }, spec: {} })),
      shows('{.metadata.labels} {.spec}', '{"a":"2"} {}'),
      shows('{.metadata.annotations}', ''),
    ],
  },
  {
    name: 'apply --server-side as a dry run',
    steps: [
      apply(first, ' --dry-run=server', { stdout: `${APPLIED} (server dry run)` }),
      { run: 'get flunders -o name', stdout: '' },
    ],
  },
  {
    name: 'apply --server-side with another manager',
    steps: [
      apply(first),
      apply(conflicting, ' --field-manager=other', {
        code: 1,
        stdout: '',
        stderr: [
          /^error: Apply failed with 1 conflict: conflict with "kubectl": \.spec\.flunderReference\nPlease review the fields above--they currently have other managers\. Here\n/,
          /--force-conflicts/,
        ],
      }),
      shows('{.spec.flunderReference}', 'pond'),
      apply(conflicting, ' --field-manager=other --force-conflicts'),
      shows('{.spec.flunderReference}', 'lake'),
      shows(MANAGERS, /^kubectl Apply;other Apply;$/),
      apply(flunder('one', { labels: { a: '1' }, spec: {} })),
      shows(
        '{.metadata.labels} {.spec}',
        '{"a":"1"} {"flunderReference":"lake","referenceType":"Flunder"}',
      ),
    ],
  },
  {
    name: 'get --show-managed-fields',
    since: ['1.21', '--show-managed-fields'],
    steps: [
      apply(first),
      {
        run: 'get flunder one -o yaml',
        stdout: /^metadata:\n {2}creationTimestamp: .*\n {2}labels:\n(?: {4}.*\n)+ {2}name: one$/m,
      },
      {
        run: 'get flunder one -o yaml --show-managed-fields',
        stdout:
          / {2}managedFields:\n {2}- apiVersion: wardle\.example\.com\/v1beta1\n {4}fieldsType: FieldsV1\n {4}fieldsV1:\n {6}f:metadata:\n {8}f:labels:\n {10}f:a: \{\}\n {10}f:b: \{\}\n {6}f:spec:\n {8}f:flunderReference: \{\}\n {8}f:referenceType: \{\}\n {4}manager: kubectl\n {4}operation: Apply\n {4}time: "[^"]+"\n {2}name: one\n/,
      },
    ],
  },
  {
    name: 'from client-side to server-side apply',
    since: ['1.26', 'kubectl takes over what it applied before'],
    steps: [
      { run: 'apply -f -', input: first, stdout: 'flunder.wardle.example.com/one created' },
      apply(flunder('one', { labels: { a: '1', c: '1' } })),
      shows('{.metadata.labels}', '{"a":"1","c":"1"}'),
      shows('{.metadata.annotations}', /last-applied-configuration/),
      shows(MANAGERS, /^(?:kubectl-last-applied Apply;)?kubectl Apply;$/),
    ],
  },
  {
    name: 'diff --server-side',
    steps: [
      apply(first),
      { run: 'diff --server-side -f -', input: first, stdout: '' },
      {
        run: 'diff --server-side -f -',
        input: flunder('one', { labels: { a: '1' }, spec: refersTo('lake') }),
        code: 1,
        stdout: [
          /^- {4}b: "1"$/m,
          /^- {2}flunderReference: pond$/m,
          /^\+ {2}flunderReference: lake$/m,
        ],
      },
    ],
  },
  {
    name: 'apply --server-side of what the schema does not have',
    steps: [
      apply(first),
      apply(flunder('one', { spec: { nope: '1' } }), ' --validate=false', {
        code: 1,
        stdout: '',
        stderr:
          /failed to create typed patch object \(NAMESPACE\/one; wardle\.example\.com\/v1beta1, Kind=Flunder\): \.spec\.nope: field not declared in schema/,
      }),
    ],
  },
];
