/** Discovery by kubectl: resources, versions, fields, and the paths below all of it. */
import { flunder, GROUP, type Scenario, type Step } from './scenario.ts';

const FLUNDERS = `/apis/${GROUP}/v1beta1/namespaces/NAMESPACE/flunders`;
const explainedFromV3 = {
  before: '1.27',
  because: 'until 1.26 explain reads OpenAPI v2 and has another layout',
};

function explain(run: string, stdout: Step['stdout'], before: Step['stdout']): Step {
  return { run: `explain ${run}`, stdout, differs: [{ ...explainedFromV3, stdout: before }] };
}

/** The same key twice, which no object can say; kubectl sends it on only when it is told to. */
const TWICE = JSON.stringify(flunder('twice')).replace(
  '"flunderReference"',
  '"flunderReference":"first",$&',
);

export const discovering: readonly Scenario[] = [
  {
    name: 'api-resources and api-versions',
    steps: [
      {
        run: 'api-resources',
        stdout: [
          /^NAME +SHORTNAMES +APIVERSION +[A-Z]+ +KIND$/m,
          /^fischers +fi +wardle\.example\.com\/v1alpha1 +false +Fischer$/m,
          /^flunders +fl +wardle\.example\.com\/v1beta1 +true +Flunder$/m,
        ],
      },
      {
        run: `api-resources --api-group=${GROUP} --namespaced=true -o wide`,
        stdout: /^flunders .* create,delete,deletecollection,get,list,patch,update,watch *$/m,
        differs: [
          {
            before: '1.27',
            because: 'older releases print the verbs as Go prints a slice',
            stdout: /^flunders .*\[create delete deletecollection get list patch update watch\]$/m,
          },
        ],
      },
      {
        run: 'api-resources -o name --verbs=deletecollection',
        stdout: `fischers.${GROUP}\nflunders.${GROUP}`,
      },
      { run: 'api-versions', stdout: `${GROUP}/v1alpha1\n${GROUP}/v1beta1` },
    ],
  },
  {
    name: 'explain',
    steps: [
      explain(
        'flunder',
        /^GROUP: +wardle\.example\.com\nKIND: +Flunder\nVERSION: +v1beta1\n[\s\S]*A Flunder refers to another Flunder/,
        /^KIND: +Flunder\nVERSION: +wardle\.example\.com\/v1beta1\n[\s\S]*A Flunder refers to another Flunder/,
      ),
      explain(
        'fl --recursive',
        /^ {2}spec\t<Object>\n {4}fischerReference\t<string>\n {4}flunderReference\t<string>\n {4}referenceType\t<string>\n {2}status\t<Object>$/m,
        /^ {3}spec\t<Object>\n {6}fischerReference\t<string>\n {6}flunderReference\t<string>\n {6}referenceType\t<string>\n {3}status\t<map\[string\]>$/m,
      ),
      explain(
        'flunder.spec.flunderReference',
        /^FIELD: flunderReference <string>\n\n+DESCRIPTION:\n {4}Name of another Flunder$/m,
        /^FIELD: +flunderReference <string>\n\nDESCRIPTION:\n {5}Name of another Flunder$/m,
      ),
      explain(
        `flunder.spec --api-version=${GROUP}/v1alpha1`,
        [/^VERSION: +v1alpha1$/m, /^ {2}reference\t<string>\n {4}Name of the object referred to$/m],
        [/v1alpha1$/m, /^ {3}reference\t<string>\n {5}Name of the object referred to$/m],
      ),
      explain(
        'flunder.metadata.ownerReferences',
        /^ {2}uid\t<string> -required-$/m,
        /^ {3}uid\t<string> -required-$/m,
      ),
      explain(
        'fischers',
        /^ {2}disallowedFlunders\t<\[\]string>\n {4}Names of Flunders$/m,
        /^ {3}disallowedFlunders\t<\[\]string>\n {5}Names of Flunders$/m,
      ),
      {
        run: 'explain flunder.spec.nope',
        code: 1,
        stdout: /^GROUP: /,
        stderr: 'error: field "nope" does not exist',
        differs: [{ ...explainedFromV3, stdout: '' }],
      },
    ],
  },
  {
    name: '--raw',
    steps: [
      { run: 'get --raw /healthz', stdout: 'ok' },
      {
        run: `get --raw /apis/${GROUP}`,
        stdout: /^\{"kind":"APIGroup",.*"preferredVersion":\{.*v1beta1"\}\}/,
      },
      {
        run: `create --raw ${FLUNDERS} -f -`,
        input: flunder('raw'),
        stdout: /^\{"kind":"Flunder",.*"name":"raw"/,
      },
      { run: `get --raw ${FLUNDERS}/raw`, stdout: /"flunderReference":"pond"/ },
      {
        run: `replace --raw ${FLUNDERS}/raw -f -`,
        input: flunder('raw'),
        code: 1,
        stdout: '',
        stderr:
          'The flunders "raw" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      },
      {
        run: `create --raw ${FLUNDERS}?fieldValidation=Strict -f -`,
        input: TWICE,
        code: 1,
        stdout: '',
        stderr: /strict decoding error: duplicate field "spec\.flunderReference"/,
      },
      { run: `delete --raw ${FLUNDERS}/raw`, stdout: /^\{"kind":"Status",.*"status":"Success"/ },
      {
        run: `delete --raw ${FLUNDERS}/raw`,
        code: 1,
        stdout: '',
        stderr: `Error from server (NotFound): flunders.${GROUP} "raw" not found`,
      },
    ],
  },
  {
    name: '--raw replaces what was read',
    given: [flunder('raw')],
    play: async ({ step }) => {
      const { stdout } = await step({ run: `get --raw ${FLUNDERS}/raw`, stdout: /"pond"/ });
      const changed = stdout.replace('"pond"', '"lake"');
      const replace = { run: `replace --raw ${FLUNDERS}/raw -f -`, input: changed };
      await step({ ...replace, stdout: /"flunderReference":"lake"/ });
      await step({
        ...replace,
        code: 1,
        stdout: '',
        stderr:
          /^Error from server \(Conflict\): Operation cannot be fulfilled on flunders\.wardle\.example\.com "raw": the object has been modified; please apply your changes to the latest version and try again/,
      });
    },
  },
  {
    name: 'version',
    steps: [{ run: 'version -o json', stdout: /"serverVersion": \{/, stderr: /^(WARNING.*\n)?$/i }],
  },
];
