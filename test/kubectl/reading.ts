/** `kubectl get` in every form, `describe`, and what is said when there is nothing. */
import {
  DEPRECATED_FISCHER,
  DEPRECATED_FLUNDER,
  flunder,
  GROUP,
  refersTo,
  type Scenario,
  type Step,
} from './scenario.ts';

const older = {
  before: '1.21',
  because: 'managedFields are hidden from 1.21 on',
};
const HEADER = 'NAME +REFERENCE +AGE';

/** Asks for the one Flunder of the scenario. */
function getAs(output: string, stdout: Step['stdout'], more: Partial<Step> = {}): Step {
  return { run: ['get', 'flunder', 'one', '-o', output], stdout, ...more };
}

export const reading: readonly Scenario[] = [
  {
    name: 'get -o of every kind',
    given: [flunder('one', { labels: { color: 'red' } })],
    steps: [
      getAs('wide', new RegExp(`^${HEADER}\\none +pond +\\d+s\\n$`)),
      getAs('name', `flunder.${GROUP}/one`),
      getAs(
        'json',
        /^\{\n {4}"apiVersion": "wardle\.example\.com\/v1beta1",\n {4}"kind": "Flunder",\n/,
      ),
      getAs(
        'yaml',
        /^apiVersion: wardle\.example\.com\/v1beta1\nkind: Flunder\nmetadata:\n {2}creationTimestamp: "[^"]+"\n {2}labels:\n {4}color: red\n {2}name: one\n {2}namespace: NAMESPACE\n {2}resourceVersion: "\d+"\n {2}uid: [-0-9a-f]{36}\nspec:\n {2}flunderReference: pond\n {2}referenceType: Flunder\nstatus: \{\}\n$/,
        { differs: [{ ...older, stdout: [/ {2}managedFields:\n/, /operation: Update\n/] }] },
      ),
      getAs('jsonpath={.spec.flunderReference},{.metadata.labels.color}', 'pond,red'),
      getAs('go-template={{.metadata.name}}-{{.spec.referenceType}}', 'one-Flunder'),
      getAs(
        'custom-columns=NAME:.metadata.name,TO:.spec.flunderReference,NO:.spec.no',
        /^NAME +TO +NO\none +pond +<none>\n$/,
      ),
    ],
  },
  {
    name: 'get as a person looks at it',
    given: [
      flunder('b', { labels: { color: 'red' }, spec: refersTo('lake') }),
      flunder('a', { labels: { color: 'blue' } }),
    ],
    steps: [
      {
        run: 'get flunders',
        stdout: new RegExp(`^${HEADER}\\na +pond +\\d+s\\nb +lake +\\d+s\\n$`),
      },
      { run: 'get fl', stdout: new RegExp(`^${HEADER}\\na `) },
      { run: 'get flunders --no-headers', stdout: /^a +pond +\d+s\nb +lake +\d+s\n$/ },
      {
        run: 'get flunders --show-labels',
        stdout: [/^NAME +REFERENCE +AGE +LABELS\n/, /^b .*color=red$/m],
      },
      { run: 'get flunders -L color', stdout: [/ COLOR\n/, /^a .* blue$/m, /^b .* red$/m] },
      {
        run: 'get flunders --sort-by=.spec.flunderReference -o name',
        stdout: `flunder.${GROUP}/b\nflunder.${GROUP}/a`,
      },
      {
        run: 'get flunders --sort-by=.spec.flunderReference',
        stdout: /^b .*\na /m,
      },
      {
        run: 'get flunders -A',
        stdout: [/ NAME +REFERENCE +AGE\n/, /^NAMESPACE +a +pond/m],
      },
      { run: 'get flunder/a flunder/b -o name', stdout: `flunder.${GROUP}/a\nflunder.${GROUP}/b` },
      { run: 'get flunders -o jsonpath={.kind}:{.items[*].metadata.name}', stdout: 'List:a b' },
      { run: 'get -f - -o name', input: flunder('a'), stdout: `flunder.${GROUP}/a` },
    ],
  },
  {
    name: 'get of several kinds in one Table each',
    given: [flunder('one')],
    steps: [
      {
        run: 'create -f -',
        input: {
          apiVersion: `${GROUP}/v1alpha1`,
          kind: 'Fischer',
          metadata: { name: 'of-NAMESPACE' },
        },
        stdout: `fischer.${GROUP}/of-NAMESPACE created`,
        stderr: DEPRECATED_FISCHER,
      },
      {
        run: 'get flunders,fischers',
        stdout: [
          /^NAME +REFERENCE +AGE\nflunder\.wardle\.example\.com\/one +pond +\d+s\n\nNAME +CREATED AT\n/,
          /^fischer\.wardle\.example\.com\/of-NAMESPACE +\d{4}-/m,
        ],
        stderr: DEPRECATED_FISCHER,
      },
      {
        run: 'get fi of-NAMESPACE -o name',
        stdout: `fischer.${GROUP}/of-NAMESPACE`,
        stderr: DEPRECATED_FISCHER,
      },
    ],
  },
  {
    name: 'both versions of a Flunder',
    given: [flunder('old', { version: 'v1alpha1', spec: { reference: 'pond' } })],
    steps: [
      {
        run: ['get', `flunders.v1alpha1.${GROUP}`, 'old', '-o', 'jsonpath={.apiVersion} {.spec}'],
        stdout: /^wardle\.example\.com\/v1alpha1 \{"reference":"pond","referenceType":"Flunder"\}$/,
        stderr: DEPRECATED_FLUNDER,
      },
      {
        run: ['get', `flunders.v1beta1.${GROUP}`, 'old', '-o', 'jsonpath={.apiVersion} {.spec}'],
        stdout: /v1beta1 \{"flunderReference":"pond","referenceType":"Flunder"\}$/,
      },
      { run: 'get flunder old', stdout: /^old +pond /m },
      {
        run: `get flunders.v1alpha1.${GROUP}`,
        stdout: /^old +pond /m,
        stderr: DEPRECATED_FLUNDER,
      },
    ],
  },
  {
    name: 'get by selectors',
    given: [
      flunder('a', { labels: { color: 'red' } }),
      flunder('b', { labels: { color: 'blue' } }),
    ],
    steps: [
      { run: 'get flunders -l color=red -o name', stdout: `flunder.${GROUP}/a` },
      {
        run: ['get', 'flunders', '-l', 'color in (red,blue),!size', '-o', 'name'],
        stdout: /a\n.*b\n$/,
      },
      {
        run: 'get flunders --field-selector metadata.name=b -o name',
        stdout: `flunder.${GROUP}/b`,
      },
      {
        run: 'get flunders --field-selector metadata.name!=b -o name',
        stdout: `flunder.${GROUP}/a`,
      },
      {
        run: 'get flunders --field-selector spec.nope=b',
        code: 1,
        stdout: '',
        stderr:
          /^Error from server \(BadRequest\): Unable to find .*"spec\.nope" is not a known field selector/,
      },
      {
        run: ['get', 'flunders', '-l', 'color in ('],
        code: 1,
        stdout: '',
        stderr: /^Error from server \(BadRequest\): .*unable to parse requirement/,
      },
    ],
  },
  {
    name: 'get in chunks',
    given: ['a', 'b', 'c', 'd', 'e'].map((name) => flunder(name)),
    steps: [
      {
        run: 'get flunders --chunk-size=2 -o jsonpath={.items[*].metadata.name} -v=6',
        stdout: 'a b c d e',
        stderr: [
          /flunders\?limit=2/,
          /flunders\?continue=\S+&limit=2[\s\S]*flunders\?continue=\S+&limit=2/,
        ],
      },
      {
        run: 'get flunders --chunk-size=2 --no-headers',
        stdout: /^a .*\nb .*\nc .*\nd .*\ne .*\n$/,
      },
      { run: 'get flunders --chunk-size=0 -o name', stdout: /a\n.*b\n.*c\n.*d\n.*e\n$/ },
    ],
  },
  {
    name: 'describe',
    given: [flunder('one', { labels: { color: 'red' }, annotations: { note: 'seen' } })],
    steps: [
      {
        run: 'describe flunder one',
        stdout: [
          /^Name: +one\nNamespace: +NAMESPACE\nLabels: +color=red\nAnnotations: +note: ?\s*seen\nAPI Version: +wardle\.example\.com\/v1beta1\nKind: +Flunder\n/,
          /^Spec:\n {2}Flunder Reference: +pond\n {2}Reference Type: +Flunder\n/m,
          /^Events: +<none>\n$/m,
        ],
      },
      { run: 'describe flunders -l color=red', stdout: /^Name: +one$/m },
      {
        run: 'describe flunders -l color=green',
        stdout: '',
        stderr: 'No resources found in NAMESPACE namespace.',
      },
    ],
  },
  {
    name: 'nothing there',
    steps: [
      { run: 'get flunders', stdout: '', stderr: 'No resources found in NAMESPACE namespace.' },
      { run: 'get flunder none --ignore-not-found', stdout: '' },
      {
        // Elsewhere kubectl goes on to ask for the namespace, which a server of one group does not have.
        run: 'get flunder none --namespace default',
        code: 1,
        stdout: '',
        stderr: `Error from server (NotFound): flunders.${GROUP} "none" not found`,
      },
      {
        run: 'get flinders',
        code: 1,
        stdout: '',
        stderr: `error: the server doesn't have a resource type "flinders"`,
      },
    ],
  },
];
