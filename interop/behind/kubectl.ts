/** Common uses of kubectl, through the aggregator. */
import type { Kubectl, TestScope } from '../../test/harness/index.ts';
import { applying } from '../../test/kubectl/applying.ts';
import { deleting } from '../../test/kubectl/deleting.ts';
import { patching } from '../../test/kubectl/patching.ts';
import { type Cast, play } from '../../test/kubectl/play.ts';
import { reading } from '../../test/kubectl/reading.ts';
import type { Scenario } from '../../test/kubectl/scenario.ts';
import { serverSide } from '../../test/kubectl/server-side.ts';
import { watching } from '../../test/kubectl/watching.ts';
import { writing } from '../../test/kubectl/writing.ts';
import { isFull } from '../full.ts';
import { makeNamespace, post } from './ask.ts';
import type { Site } from './site.ts';

/** Of the ordinary run, which has not the time for all. */
const chosen: readonly string[] = [
  'get as a person looks at it',
  'both versions of a Flunder',
  'get in chunks',
  'get -w',
  'get -w --output-watch-events',
  'create',
  'replace',
  'what is wrong is said',
  'patch --type merge',
  'patch --type json',
  'patch --type strategic',
  'apply and re-apply',
  'diff',
  'apply --server-side',
  'apply --server-side with another manager',
  'delete',
  'delete waits for finalizers',
  'delete by selector, and all',
];
/** About the clock of kubectl, which complains of a watch that was short when the machine was slow. */
const clockwork = 'delete gives up waiting';

const all: readonly Scenario[] = [
  ...reading,
  ...watching,
  ...writing,
  ...patching,
  ...applying,
  ...serverSide,
  ...deleting,
].filter(({ name }) => name !== clockwork);

export function scenariosBehind(): readonly Scenario[] {
  if (isFull) return all;
  return chosen.map((name) => {
    const scenario = all.find((one) => one.name === name);
    if (scenario === undefined) throw new Error(`there is no scenario "${name}"`);
    return scenario;
  });
}

export async function playsBehind(
  t: TestScope,
  site: Site,
  { kubectl, scenario }: { kubectl: Kubectl; scenario: Scenario },
): Promise<void> {
  const namespace = `v${kubectl.version.replaceAll('.', '-')}-${all.indexOf(scenario)}`;
  await makeNamespace(site, namespace);
  const provide: Cast['provide'] = async (into, flunder) => {
    await post(site, `/apis/${flunder.apiVersion}/namespaces/${into}/flunders`, flunder);
  };
  const { kubeconfig } = site.front;
  await play(t, scenario, { kubectl, kubeconfig, namespace, provide });
}
