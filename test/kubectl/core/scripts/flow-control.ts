import type { Script } from '../script.ts';

const apiVersion = 'flowcontrol.apiserver.k8s.io/v1';
const level = (name: string, spec: object): object => ({
  apiVersion,
  kind: 'PriorityLevelConfiguration',
  metadata: { name: `NAMESPACE-${name}` },
  spec,
});
const schema = (name: string, spec: object): object => ({
  apiVersion,
  kind: 'FlowSchema',
  metadata: { name: `NAMESPACE-${name}` },
  spec,
});
const LIMITED = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
const MATCHED = { matchingPrecedence: 9000, priorityLevelConfiguration: { name: 'NAMESPACE-one' } };
/** Whether what a schema refers to is there is a controller's to say, at a time of its own. */
const SCHEMA = 'custom-columns=NAME:.metadata.name,SPEC:.spec';

export const flowControl: Script = {
  name: 'flowcontrol',
  steps: [
    {
      run: 'get prioritylevelconfigurations',
      keep: /^(?:NAME |exempt|system|leader|node|workload|global|catch)/,
    },
    {
      run: 'get flowschemas',
      keep: /^(?:NAME |exempt|system|leader|node|workload|global|catch|service|kube|probes|endpoint)/,
    },
    { run: 'get flowschema exempt -o jsonpath={.spec}' },
    { run: 'create -f -', input: level('one', LIMITED) },
    { run: 'create -f -', input: level('bad', { type: 'X' }) },
    { run: 'create -f -', input: schema('one', MATCHED) },
    { run: 'create -f -', input: schema('bad', { ...MATCHED, matchingPrecedence: 0 }) },
    { run: 'get prioritylevelconfiguration NAMESPACE-one' },
    { run: 'get prioritylevelconfiguration NAMESPACE-one -o yaml' },
    { run: `get flowschema NAMESPACE-one -o ${SCHEMA}` },
    { run: 'explain flowschemas --recursive', fieldsOnly: true },
    { run: 'explain prioritylevelconfigurations --recursive', fieldsOnly: true },
    { run: 'delete flowschema exempt --dry-run=server' },
    { run: 'delete flowschema NAMESPACE-one' },
    { run: 'delete prioritylevelconfiguration NAMESPACE-one' },
  ],
};
