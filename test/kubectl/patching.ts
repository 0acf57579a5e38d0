/** `kubectl patch` of every type. */
import { flunder, GROUP, type Scenario, type Step, said } from './scenario.ts';

function patch(type: string, body: object, outcome: Partial<Step> = {}): Step {
  const typed = type === '' ? [] : ['--type', type];
  const run = ['patch', 'flunder', 'one', ...typed, '-p', JSON.stringify(body)];
  return { run, stdout: said('one', 'patched'), ...outcome };
}

const shows = (path: string, stdout: string): Step => ({
  run: ['get', 'flunder', 'one', '-o', `jsonpath=${path}`],
  stdout,
});

/** The words come from kubectl: the server's own are in a cause that it does not print. */
const REFUSED: Partial<Step> = {
  code: 1,
  stdout: '',
  stderr: 'The request is invalid: the server rejected our request due to an error in our request',
  differs: [
    {
      before: '1.21',
      because: '1.20 leaves out the message of an error without a cause',
      stderr: 'The request is invalid',
    },
  ],
};

export const patching: readonly Scenario[] = [
  {
    name: 'patch --type merge',
    given: [flunder('one', { labels: { color: 'red', size: '1' } })],
    steps: [
      patch('merge', { spec: { flunderReference: 'lake' }, metadata: { labels: { size: null } } }),
      shows('{.spec.flunderReference} {.metadata.labels}', 'lake {"color":"red"}'),
      patch(
        'merge',
        { spec: { flunderReference: 'lake' } },
        { stdout: said('one', 'patched (no change)') },
      ),
      patch(
        'merge',
        { spec: { nope: 1 } },
        {
          stdout: said('one', 'patched (no change)'),
          stderr: 'Warning: unknown field "spec.nope"',
        },
      ),
    ],
  },
  {
    name: 'patch --type json',
    given: [flunder('one')],
    steps: [
      patch('json', [
        { op: 'test', path: '/spec/flunderReference', value: 'pond' },
        { op: 'replace', path: '/spec/flunderReference', value: 'lake' },
        { op: 'add', path: '/metadata/labels', value: { 'a/b': '1' } },
        { op: 'remove', path: '/metadata/labels/a~1b' },
      ]),
      shows('{.spec.flunderReference}{.metadata.labels}', 'lake'),
      patch('json', [{ op: 'test', path: '/spec/flunderReference', value: 'sea' }], REFUSED),
      patch('json', [{ op: 'remove', path: '/spec/nope' }], REFUSED),
    ],
  },
  {
    name: 'patch --type strategic',
    given: [flunder('one', { labels: { color: 'red' }, finalizers: ['example.com/a'] })],
    steps: [
      patch('', { metadata: { finalizers: ['example.com/b'], labels: { size: '1' } } }),
      shows(
        '{.metadata.finalizers} {.metadata.labels}',
        '["example.com/b","example.com/a"] {"color":"red","size":"1"}',
      ),
      patch('strategic', {
        metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] },
      }),
      shows('{.metadata.finalizers}', '["example.com/b"]'),
      patch('strategic', { metadata: { labels: { $patch: 'replace', only: '1' } } }),
      shows('{.metadata.labels}', '{"only":"1"}'),
    ],
  },
  {
    name: 'patch as a dry run, and of nothing',
    given: [flunder('one')],
    steps: [
      {
        run: [
          'patch',
          'flunder',
          'one',
          '--type=merge',
          '-p',
          '{"spec":{"flunderReference":"dry"}}',
          '--dry-run=server',
          '-o',
          'jsonpath={.spec.flunderReference}',
        ],
        stdout: 'dry',
      },
      {
        run: [
          'patch',
          'flunder',
          'one',
          '--type=merge',
          '-p',
          '{"spec":{"flunderReference":"dry"}}',
          '--dry-run=client',
          '-o',
          'jsonpath={.spec.flunderReference}',
        ],
        stdout: 'dry',
      },
      shows('{.spec.flunderReference}', 'pond'),
      {
        run: ['patch', 'flunder', 'none', '--type=merge', '-p', '{}', '--namespace=default'],
        code: 1,
        stdout: '',
        stderr: `Error from server (NotFound): flunders.${GROUP} "none" not found`,
      },
      {
        run: ['patch', '-f', '-', '--type=merge', '-p', '{"spec":{"flunderReference":"sea"}}'],
        input: flunder('one'),
        stdout: said('one', 'patched'),
      },
    ],
  },
  {
    name: 'status is no subresource here',
    since: ['1.24', '--subresource'],
    given: [flunder('one')],
    steps: [
      {
        run: [
          'patch',
          'flunder',
          'one',
          '--subresource=status',
          '--type=merge',
          '-p',
          '{"status":{}}',
        ],
        code: 1,
        stdout: '',
        stderr: /^Error from server \(NotFound\)/,
      },
    ],
  },
];
