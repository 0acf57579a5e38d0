/** `create`, `replace`, `label`, `annotate`, `edit`, and what is refused. */
import {
  create,
  DEPRECATED_FISCHER,
  flunder,
  GROUP,
  refersTo,
  type Scenario,
  said,
} from './scenario.ts';

export const writing: readonly Scenario[] = [
  {
    name: 'create',
    steps: [
      create('one'),
      {
        run: 'create -f -',
        input: flunder('one'),
        code: 1,
        stdout: '',
        stderr: `Error from server (AlreadyExists): error when creating "STDIN": flunders.${GROUP} "one" already exists`,
      },
      {
        run: 'create -f - -o name',
        input: { ...flunder('', {}), metadata: { generateName: 'made-' } },
        stdout: /^flunder\.wardle\.example\.com\/made-[a-z0-9]{5}\n$/,
      },
      {
        run: 'create -f -',
        input: `---\n${JSON.stringify(flunder('x'))}\n---\n${JSON.stringify(flunder('y'))}`,
        stdout: `${said('x', 'created')}\n${said('y', 'created')}`,
      },
      { run: 'create -f - --save-config', input: flunder('kept'), stdout: said('kept', 'created') },
      { run: 'apply -f -', input: flunder('kept'), stdout: said('kept', 'unchanged') },
    ],
  },
  {
    name: 'create as a dry run',
    steps: [
      {
        run: 'create -f - --dry-run=server',
        input: flunder('dry'),
        stdout: said('dry', 'created (server dry run)'),
      },
      {
        run: 'create -f - --dry-run=server -o jsonpath={.metadata.namespace}',
        input: flunder('dry'),
        stdout: 'NAMESPACE',
      },
      {
        run: 'create -f - --dry-run=server',
        input: flunder('dry', { spec: { referenceType: 'Fischer' } }),
        code: 1,
        stdout: '',
        stderr:
          /^The Flunder "dry" is invalid: spec\.fischerReference: Invalid value: "": cannot be empty/,
      },
      {
        run: 'create -f - --dry-run=client',
        input: flunder('dry'),
        stdout: said('dry', 'created (dry run)'),
      },
      { run: 'get flunders -o name', stdout: '' },
    ],
  },
  {
    name: 'replace',
    given: [flunder('one', { labels: { color: 'red' } })],
    steps: [
      {
        run: 'replace -f -',
        input: flunder('one', { spec: refersTo('lake') }),
        stdout: said('one', 'replaced'),
      },
      {
        run: [
          'get',
          'flunder',
          'one',
          '-o',
          'jsonpath={.spec.flunderReference} {.metadata.labels}',
        ],
        stdout: 'lake',
      },
      {
        run: 'replace --force -f -',
        input: flunder('one'),
        stdout: [/"one" deleted/, /^flunder\.wardle\.example\.com\/one replaced$/m],
      },
      {
        run: 'replace -f - --namespace default',
        input: flunder('absent-NAMESPACE'),
        code: 1,
        stdout: '',
        stderr: /^Error from server \(NotFound\): .*"absent-NAMESPACE" not found/,
      },
    ],
  },
  {
    name: 'label and annotate',
    given: [flunder('one')],
    steps: [
      { run: 'label flunder one color=red', stdout: said('one', 'labeled') },
      {
        run: 'label flunder one color=blue',
        code: 1,
        stdout: '',
        stderr: "error: 'color' already has a value (red), and --overwrite is false",
      },
      { run: 'label flunder one color=blue --overwrite', stdout: said('one', 'labeled') },
      {
        run: 'label flunders --all size=1 --dry-run=server',
        stdout: said('one', 'labeled (server dry run)'),
        differs: [
          { before: '1.21', because: '1.20 says nothing of it', stdout: said('one', 'labeled') },
        ],
      },
      { run: 'get flunder one -o jsonpath={.metadata.labels}', stdout: '{"color":"blue"}' },
      {
        run: 'label flunder one color-',
        stdout: said('one', 'unlabeled'),
        differs: [
          { before: '1.21', because: '1.20 has one word for both', stdout: said('one', 'labeled') },
        ],
      },
      { run: 'annotate flunder one note=seen', stdout: said('one', 'annotated') },
      { run: 'annotate flunder one note=read --overwrite', stdout: said('one', 'annotated') },
      {
        run: ['get', 'flunder', 'one', '-o', 'jsonpath={.metadata.labels} {.metadata.annotations}'],
        stdout: /^(\{\})? \{"note":"read"\}$/,
      },
      { run: 'annotate flunder one note-', stdout: said('one', 'annotated') },
    ],
  },
  {
    name: 'edit',
    given: [flunder('one')],
    steps: [
      {
        run: 'edit flunder one',
        env: { EDITOR: 'sed -i s/pond/lake/' },
        stdout: said('one', 'edited'),
      },
      {
        run: 'edit flunder one --output-patch',
        env: { EDITOR: 'sed -i s/lake/sea/' },
        stdout: `Patch: {"spec":{"flunderReference":"sea"}}\n${said('one', 'edited')}`,
      },
      {
        run: 'edit flunder one',
        env: { EDITOR: 'true' },
        stdout: '',
        stderr: 'Edit cancelled, no changes made.',
      },
      {
        run: 'edit flunder one',
        env: { EDITOR: 'sed -i s/flunderReference/flunderRefrence/' },
        code: 1,
        stdout: '',
        stderr:
          /^error: flunders\.wardle\.example\.com "one" is invalid\n[\s\S]*Edit cancelled, no valid changes were saved/,
      },
      { run: 'get flunder one -o jsonpath={.spec.flunderReference}', stdout: 'sea' },
    ],
  },
  {
    name: 'a field that the schema does not have',
    steps: [
      {
        run: 'create -f -',
        input: flunder('typo', { spec: { flunderRefrence: 'x' } }),
        code: 1,
        stdout: '',
        stderr:
          'Error from server (BadRequest): error when creating "STDIN": Flunder in version "v1beta1" cannot be handled as a Flunder: strict decoding error: unknown field "spec.flunderRefrence"',
        differs: [
          {
            before: '1.25',
            because: 'older releases check themselves, by OpenAPI v2',
            stderr:
              'error: error validating "STDIN": error validating data: ValidationError(Flunder.spec): unknown field "flunderRefrence" in com.example.wardle.v1beta1.Flunder.spec; if you choose to ignore these errors, turn validation off with --validate=false',
          },
        ],
      },
      {
        run: 'create -f - --validate=false',
        input: flunder('typo', { spec: { flunderRefrence: 'x' } }),
        stdout: said('typo', 'created'),
        differs: [
          {
            before: '1.25',
            because: 'older releases do not send fieldValidation, whose default is to warn',
            stderr: 'Warning: unknown field "spec.flunderRefrence"',
          },
        ],
      },
      {
        run: 'create -f - --validate=warn',
        input: flunder('warned', { spec: { flunderRefrence: 'x' } }),
        stdout: said('warned', 'created'),
        stderr: 'Warning: unknown field "spec.flunderRefrence"',
        differs: [
          {
            before: '1.25',
            because: 'older releases know true and false only',
            code: 1,
            stdout: '',
            stderr: /invalid argument "warn" for "--validate" flag/,
          },
        ],
      },
    ],
  },
  {
    name: 'what is wrong is said',
    steps: [
      {
        run: 'create -f -',
        input: flunder('bad', { spec: { flunderReference: 'x', referenceType: 'Fischer' } }),
        code: 1,
        stdout: '',
        stderr:
          'The Flunder "bad" is invalid: spec.flunderReference: Invalid value: "x": cannot be set if referenceType is not Flunder',
      },
      {
        run: 'create -f -',
        input: flunder('bad%'),
        code: 1,
        stdout: '',
        stderr: `The Flunder "bad%" is invalid: metadata.name: Invalid value: "bad%": may not contain '%'`,
      },
      {
        run: 'create -f -',
        input: { ...flunder('x'), kind: 'Flinder' },
        code: 1,
        stdout: '',
        stderr: /no matches for kind "Flinder" in version "wardle\.example\.com\/v1beta1"/,
      },
      {
        run: 'create -f -',
        input: { ...flunder('x'), apiVersion: `${GROUP}/v9` },
        code: 1,
        stdout: '',
        stderr: /no matches for kind "Flunder" in version "wardle\.example\.com\/v9"/,
      },
    ],
  },
  {
    name: 'a Fischer bans a name',
    steps: [
      {
        run: 'apply -f -',
        input: {
          apiVersion: `${GROUP}/v1alpha1`,
          kind: 'Fischer',
          metadata: { name: 'of-NAMESPACE' },
          disallowedFlunders: ['banned-NAMESPACE'],
        },
        stdout: `fischer.${GROUP}/of-NAMESPACE created`,
        stderr: DEPRECATED_FISCHER,
      },
      ...['create', 'apply'].map((verb) => ({
        run: `${verb} -f -`,
        input: flunder('banned-NAMESPACE'),
        code: 1,
        stdout: '',
        stderr: `Error from server (Forbidden): error when creating "STDIN": flunders.${GROUP} "banned-NAMESPACE" is forbidden: this name may not be used, please change the resource name`,
      })),
      {
        run: 'delete fischer of-NAMESPACE',
        stdout: `fischer.${GROUP} "of-NAMESPACE" deleted`,
        stderr: [/^[wW]arning: deleting cluster-scoped resources/, /Fischer is deprecated/],
      },
      create('banned-NAMESPACE'),
    ],
  },
];
